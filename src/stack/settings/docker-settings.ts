import { type Static, Type } from '@sinclair/typebox';

/** The settings of containers (`runtime: docker`). */
export const DockerDefinition = Type.Object(
  {
    services: Type.Optional(
      Type.Array(Type.String({ minLength: 1, description: 'chain, store or a party' }), {
        minItems: 1,
        maxItems: 42,
        description: 'a list of chain, store and parties',
      }),
    ),
    image: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][\\w.:/@-]{0,254}$',
        description: 'the name of an image that the engine has',
      }),
    ),
  },
  { additionalProperties: false, description: 'a mapping of services and image' },
);

/** The services that run in containers, and their image. */
export interface DockerSettings {
  /** Null: all of them. */
  readonly services: readonly string[] | null;
  /** Null: an image made of this package. */
  readonly image: string | null;
}

interface Definition {
  readonly runtime?: 'process' | 'docker';
  readonly docker?: Static<typeof DockerDefinition>;
}

/** The settings of a definition; null if every service is a process. */
export function dockerSettingsOf({ runtime, docker }: Definition): DockerSettings | null {
  if (runtime !== 'docker') return null;
  return { services: docker?.services ?? null, image: docker?.image ?? null };
}

interface Others {
  readonly bind: string;
  readonly ports: { readonly base: unknown };
  readonly parties: readonly { readonly name: string }[];
  readonly chain: { readonly engine: string; readonly external: { readonly url: string } | null };
  readonly store: { readonly external: { readonly api: string } | null };
}

/** Settings that have no effect without containers or are impossible in them: the member, and what is wrong with it. */
export function dockerProblems(
  { runtime, docker }: Definition,
  { bind, ports, parties, chain, store }: Others,
): { readonly path: string; readonly message: string }[] {
  const problems: { path: string; message: string }[] = [];
  const add = (path: string, message: string): void => void problems.push({ path, message });
  if (runtime !== 'docker') {
    if (docker !== undefined) add('/docker', 'docker is for containers: add runtime: docker, or remove it.');
    return problems;
  }
  const own = [...(chain.external === null ? ['chain'] : []), ...(store.external === null ? ['store'] : [])];
  const services = [...own, ...parties.map(({ name }) => name)];
  const unknown = docker?.services?.find((name) => !services.includes(name));
  if (unknown !== undefined) {
    add('/docker/services', `docker.services: there is no service ${unknown}; known: ${services.join(', ')}.`);
  }
  if (ports.base === 'os')
    add('/ports/base', 'ports.base os is impossible with containers, whose ports are fixed: use auto or a number.');
  if (bind.includes(':')) add('/bind', `bind ${bind} is IPv6, which engines do not publish by default: use IPv4.`);
  if (chain.engine !== 'hardhat' && (docker?.services?.includes('chain') ?? true)) {
    const message = `chain.provider ${chain.engine} cannot run in a container: list other services in docker.services.`;
    add('/chain/provider', message);
  }
  const foreign = [
    { path: '/chain/url', url: chain.external?.url },
    { path: '/store/api', url: store.external?.api },
  ];
  for (const { path, url } of docker?.services === undefined ? foreign : []) {
    if (url === undefined || !loopback.test(url)) continue;
    const setting = path.slice(1).replace('/', '.');
    add(path, `${setting} ${url} is the container itself in a container: name an address that containers reach.`);
  }
  return problems;
}

const loopback = /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/;
