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

/** Valid from long ago: they must not become those of the future when the machine's clock is set back. */
const validity = ["-startdate", "20200101000000Z", "-days", "2"];
const authority = `
[ca]
default_ca = ours
[ours]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = named
[named]
commonName = supplied
`;

/** A certificate authority with a server's and two clients' certificates, made by openssl. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "tessera-certs-"));
  const run = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const sign = (name: string, subject: string, extensions: string, ...as: string[]) => {
    run("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
    writeFileSync(join(folder, `${name}.ext`), extensions);
    const files = ["-in", `${name}.csr`, "-extfile", `${name}.ext`, "-out", `${name}.crt`];
    run("ca", "-batch", "-notext", "-config", "ca.cnf", ...validity, ...files, ...as);
    return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
  };
  const byAuthority = ["-cert", "ca.crt", "-keyfile", "ca.key"];
  try {
    writeFileSync(join(folder, "ca.cnf"), authority);
    writeFileSync(join(folder, "index"), "");
    const isAuthority = "basicConstraints=critical,CA:TRUE";
    const ca = sign("ca", "/CN=test-ca", isAuthority, "-selfsign", "-keyfile", "ca.key");
    const names = "subjectAltName=DNS:localhost,DNS:api.test,IP:127.0.0.1";
    const forClients = "extendedKeyUsage=clientAuth";
    return {
      ca: ca.cert,
      server: sign("server", "/CN=server", names, ...byAuthority),
      client: sign("client", "/CN=alice", forClients, ...byAuthority),
      otherClient: sign("other", "/CN=bob", forClients, ...byAuthority),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
