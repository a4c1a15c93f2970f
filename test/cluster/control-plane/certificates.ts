import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runChecked } from "../machine/run.ts";

/** Who a certificate is for. */
export interface Subject {
  /** File name without extension: `admin`. */
  readonly id: string;
  readonly commonName: string;
  /** Kubernetes reads it as the group. */
  readonly organization?: string;
  /** Given: a server's certificate for these names (`DNS:x`, `IP:y`); also good as a client. */
  readonly names?: readonly string[];
}

/** A key with its certificate, as files. */
export interface Identity {
  readonly keyFile: string;
  readonly certificateFile: string;
}

const validDays = "3650";

/** The certificate authority of one cluster and what it has issued, below one folder. */
export class Authority {
  readonly caFile: string;
  readonly caKeyFile: string;
  readonly #folder: string;
  readonly #configFile: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#configFile = join(folder, "openssl.cnf");
    this.caFile = join(folder, "ca.crt");
    this.caKeyFile = join(folder, "ca.key");
  }

  /** Makes a new authority in `folder`. */
  static async create(folder: string): Promise<Authority> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const authority = new Authority(folder);
    // Nothing of the machine's own OpenSSL settings may get into our certificates.
    writeFileSync(authority.#configFile, "[req]\ndistinguished_name = dn\n[dn]\n");
    writeKey(authority.caKeyFile);
    await authority.#certify({
      keyFile: authority.caKeyFile,
      certificateFile: authority.caFile,
      subject: "/CN=tessera-test-cluster",
      extensions: [
        "basicConstraints=critical,CA:TRUE",
        "keyUsage=critical,keyCertSign,cRLSign,digitalSignature",
        "subjectKeyIdentifier=hash",
      ],
      issuer: [],
    });
    return authority;
  }

  /** Issues a certificate with a new key. */
  async issue(subject: Subject): Promise<Identity> {
    const keyFile = join(this.#folder, `${subject.id}.key`);
    const certificateFile = join(this.#folder, `${subject.id}.crt`);
    writeKey(keyFile);
    const { organization, commonName, names } = subject;
    const group = organization === undefined ? "" : `/O=${organization}`;
    const usage = names === undefined ? "clientAuth" : "serverAuth,clientAuth";
    await this.#certify({
      keyFile,
      certificateFile,
      subject: `${group}/CN=${commonName}`,
      extensions: [
        "basicConstraints=critical,CA:FALSE",
        "keyUsage=critical,digitalSignature",
        `extendedKeyUsage=${usage}`,
        ...(names === undefined ? [] : [`subjectAltName=${names.join(",")}`]),
      ],
      issuer: ["-CA", this.caFile, "-CAkey", this.caKeyFile],
    });
    return { keyFile, certificateFile };
  }

  /** A key pair without a certificate, for signing service-account tokens. */
  makeKeyPair(id: string): { readonly privateFile: string; readonly publicFile: string } {
    const privateFile = join(this.#folder, `${id}.key`);
    const publicFile = join(this.#folder, `${id}.pub`);
    const pem = writeKey(privateFile);
    writeFileSync(publicFile, pem);
    return { privateFile, publicFile };
  }

  /** The authority's own certificate as PEM. */
  get caPem(): string {
    return readFileSync(this.caFile, "utf8");
  }

  async #certify(request: {
    readonly keyFile: string;
    readonly certificateFile: string;
    readonly subject: string;
    readonly extensions: readonly string[];
    readonly issuer: readonly string[];
  }): Promise<void> {
    const { keyFile, certificateFile, subject } = request;
    const added = request.extensions.flatMap((extension) => ["-addext", extension]);
    const fixed = ["req", "-x509", "-new", "-sha256", "-config", this.#configFile];
    const what = ["-key", keyFile, "-subj", subject, "-days", validDays, "-out", certificateFile];
    await runChecked("openssl", [...fixed, ...what, ...request.issuer, ...added]);
  }
}

/** Writes a new P-256 private key and returns its public half. */
function writeKey(file: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}
