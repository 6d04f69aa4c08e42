import { resolve } from 'node:path';

/** Variables passed on to services; others, tokens above all, are withheld (docs/architecture.md §12.4). */
const passedOn = [
  'PATH',
  'HOME',
  'XDG_CACHE_HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'PARLEY_ENGINES',
  'NODE_V8_COVERAGE',
];

/**
 * By default, glibc has a pool of freed memory for each thread. One pool for all threads saves 40 MB of a node after a
 * load, and costs no more processor time.
 */
export const defaultVariables = { MALLOC_ARENA_MAX: '1' };

/** The variable with which a test arms failpoints in every program of a stack. */
export const failpointVariable = 'PARLEY_FAILPOINT';

/** The variable of Node that names a file of further certificate authorities, for webhooks and engines of others. */
export const authoritiesVariable = 'NODE_EXTRA_CA_CERTS';

/** The absolute path in `NODE_EXTRA_CA_CERTS`, since the programs of a stack have another working directory. */
export function authoritiesFile(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = environment[authoritiesVariable];
  return path === undefined || path === '' ? undefined : resolve(path);
}

/**
 * The environment of the programs of a stack: the variables that are passed on, and `defaultVariables` unless the user
 * has set them.
 */
export function passedOnFrom(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = [...passedOn, ...Object.keys(defaultVariables), failpointVariable].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  const authorities = authoritiesFile(environment);
  return {
    ...defaultVariables,
    ...Object.fromEntries(passed),
    ...(authorities !== undefined && { [authoritiesVariable]: authorities }),
  };
}

/**
 * The part of that environment for services and tasks of a kind: the chain and the store of a stack call no servers of
 * others, and each start of Node reads the file of authorities.
 */
export function environmentOf(
  kind: string,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (kind !== 'chain' && kind !== 'store') return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== authoritiesVariable));
}
