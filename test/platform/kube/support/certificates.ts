import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly ca: string;
  /** For localhost, 127.0.0.1 and api.test. */
  readonly server: Certificate;
  readonly client: Certificate;
  readonly otherClient: Certificate;
}

/** Why certificates cannot be made here; undefined when they can. */
export const noCertificatesReason: string | undefined =
  spawnSync("openssl", ["version"]).status === 0 ? undefined : "there is no openssl program";

/** A certificate authority with a server's and two clients' certificates, made by openssl. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "tessera-certs-"));
  const run = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  try {
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    run(
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      "ca.key",
      "-out",
      "ca.crt",
      "-subj",
      "/CN=test-ca",
      "-days",
      "2",
    );
    const sign = (name: string, subject: string, extensions: string): Certificate => {
      run("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
      writeFileSync(join(folder, `${name}.ext`), extensions);
      const ca = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"];
      run(
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        ...ca,
        "-days",
        "2",
        "-extfile",
        `${name}.ext`,
        "-out",
        `${name}.crt`,
      );
      return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
    };
    const names = "subjectAltName=DNS:localhost,DNS:api.test,IP:127.0.0.1";
    return {
      ca: read("ca.crt"),
      server: sign("server", "/CN=server", names),
      client: sign("client", "/CN=alice", "extendedKeyUsage=clientAuth"),
      otherClient: sign("other", "/CN=bob", "extendedKeyUsage=clientAuth"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
