import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromResponse, type Provocation } from "../provocation.ts";

export const provocations: readonly Provocation[] = [
  {
    code: "E_NOTIFY_FAILED",
    how: "tests a target whose server does not listen",
    provoke: async ({ startUp, tempDir }) => {
      const file = join(tempDir, "tessera.yaml");
      const target = "{ name: nobody, kind: webhook, url: http://127.0.0.1:1/ }";
      await writeFile(file, `notifications:\n  targets: [${target}]\n`);
      const { url, token } = await startUp(["--config", file]);
      const headers = { authorization: `Bearer ${token}` };
      return await fromResponse(
        await fetch(`${url}/api/v1/notifications/nobody/test`, { method: "POST", headers }),
      );
    },
  },
];
