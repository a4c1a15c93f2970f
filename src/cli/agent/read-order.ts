/**
 * The JSON that whoever started this program wrote to its standard input. `broken` makes the error for
 * one that is too long, or no JSON, or not what `parse` takes.
 */
export async function readOrder<Order>(
  stdin: NodeJS.ReadableStream,
  options: {
    readonly bytesMax: number;
    readonly parse: (value: unknown) => Order;
    readonly broken: () => Error;
  },
): Promise<Order> {
  const { bytesMax, parse, broken } = options;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes > bytesMax) throw broken();
  }
  try {
    return parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    throw broken();
  }
}
