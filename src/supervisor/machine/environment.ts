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

/** The variable with which a test arms failpoints in every program of a stack . */
export const failpointVariable = 'PARLEY_FAILPOINT';

/** The variables of an environment that are passed on to the programs of a stack. */
export function passedOnFrom(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    [...passedOn, failpointVariable].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
