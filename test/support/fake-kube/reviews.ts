import type { FakeKube } from "./server.ts";

interface Review {
  readonly spec: {
    readonly token?: string;
    readonly user?: string;
    readonly resourceAttributes?: Readonly<Record<string, string>>;
  };
}

const authorization = "/apis/authorization.k8s.io/v1";

/**
 * Lets a fake server vouch for people: `token-of-eve` is eve's, and she may what `rights` says, as in
 * `eve inject hardwarefaults in prod`.
 *
 * @returns what it was asked whether somebody may, in the order in which it came
 */
export function answerReviews(kube: FakeKube, rights: readonly string[]): readonly string[] {
  const asked: string[] = [];
  kube.answerPost("/apis/authentication.k8s.io/v1/tokenreviews", ({ body }) => {
    const { token = "" } = (body as unknown as Review).spec;
    const user = { username: token.replace("token-of-", ""), groups: [] };
    return { status: { authenticated: token.startsWith("token-of-"), user } };
  });
  kube.answerPost(`${authorization}/subjectaccessreviews`, ({ body }) => {
    const { user, resourceAttributes = {} } = (body as unknown as Review).spec;
    const { verb, resource, namespace } = resourceAttributes;
    const where = namespace === undefined ? "" : ` in ${namespace}`;
    const right = `${user} ${verb} ${resource}${where}`;
    asked.push(right);
    return { status: { allowed: rights.includes(right) } };
  });
  return asked;
}
