/** The environment of the process that runs the tests. */
export function testEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
