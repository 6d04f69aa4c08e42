/** Whatever else a shell may hold, tokens above all, is none of a service's business (assurance S20). */
const passedOn = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'NODE_V8_COVERAGE'];

/** The variable with which a test arms failpoints in every program of a stack (assurance, section 4). */
export const failpointVariable = 'PARLEY_FAILPOINT';

/** The part of an environment that the programs of a stack get to see. */
export function passedOnFrom(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    [...passedOn, failpointVariable].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
