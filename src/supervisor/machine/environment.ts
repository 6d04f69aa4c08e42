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
  'NODE_EXTRA_CA_CERTS',
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

/**
 * The environment of the programs of a stack: the variables that are passed on, and `defaultVariables` unless the user
 * has set them.
 */
export function passedOnFrom(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = [...passedOn, ...Object.keys(defaultVariables), failpointVariable].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...defaultVariables, ...Object.fromEntries(passed) };
}
