import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readYaml, type YamlText } from '../../stack/definition/yaml-text.js';
import { textOf } from '../../wire/json/json.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { fileProblem } from '../errors/file-problem.js';
import { fileText } from '../requests/payload.js';
import { MemberProblem, type StepArguments, wordsOf } from './argv.js';
import { loadStep, stepMembers, seedNames, type StepClass, type StepMember, type StepName } from './step-commands.js';

export interface Step {
  /** The position in the file: `seed.yaml:12:3`. */
  readonly place: string;
  readonly party: string;
  readonly command: StepName;
  readonly load: StepClass;
  /** The arguments of the command, with the party but without the idempotency key. */
  readonly argv: readonly string[];
  /** The members as written in the file. */
  readonly given: Given;
  /** SHA-256 of file name, position and content, as the idempotency key. */
  readonly key: string;
}

/**
 * Reads the steps of a seed file (docs/operations.md §11.9).
 *
 * @throws CliError USAGE with line and column; StackError STACK_FILE_INVALID for a text that is not YAML
 */
export async function readSeed(path: string): Promise<readonly Step[]> {
  const text = await fileText(path);
  const yaml = readYaml(text, path);
  const steps: unknown = yaml.value ?? [];
  if (!Array.isArray(steps)) throw problemAt({ path, yaml }, '', 'A seed is a list of steps');
  return Promise.all(steps.map((step: unknown, index) => readStep(step, index, { path, yaml })));
}

export interface SeedFile {
  readonly path: string;
  readonly yaml: YamlText;
}

async function readStep(value: unknown, index: number, { path, yaml }: SeedFile): Promise<Step> {
  const at: ProblemAt = (member, message, key = false) => problemAt({ path, yaml }, `/${index}${member}`, message, key);
  if (!isMapping(value)) throw at('', example);
  const { party, ...others } = value;
  if (typeof party !== 'string') throw at('', `The party of the step is missing. ${example}`);
  const { command, load, given, members } = await readCommand(others, seedNames, at);
  const { argv, files } = wordsAt(command, given, { members, directory: dirname(path) }, at);
  const content = await Promise.all(files.map((file) => fingerprint(file, command, at)));
  const { line, column } = yaml.position(`/${index}`);
  const key = sha256(textOf([basename(path), index + 1, party, command, given, content]));
  return { place: `${path}:${line}:${column}`, party, command, load, argv: ['-p', party, ...argv], given, key };
}

/** Creates the failure for a member of a step, given by its JSON pointer. `key`: its name is wrong, not its value. */
export type ProblemAt = (member: string, message: string, key?: boolean) => CliError;

/** The command of a step, with its flags by name. */
export interface StepCommand {
  readonly command: StepName;
  readonly load: StepClass;
  readonly given: Given;
  readonly members: readonly StepMember[];
}

export type Given = Readonly<Record<string, unknown>>;

/** Reads the one command of a step. @throws CliError USAGE */
export async function readCommand(step: Given, known: readonly StepName[], at: ProblemAt): Promise<StepCommand> {
  const [name, ...more] = Object.keys(step);
  if (name === undefined) throw at('', `The command of the step is missing. ${example}`);
  const command = known.find((each) => each === name);
  if (command === undefined) throw at(`/${name}`, `Unknown step ${name}${nearestHint(name, known)}`, true);
  if (more.length > 0) throw at(`/${more[0] ?? ''}`, `A step has one command: ${command} or ${more[0] ?? ''}`, true);
  const given = step[name] ?? {};
  if (!isMapping(given)) throw at(`/${name}`, `${name} must be a mapping of flags. ${example}`);
  const load = await loadStep(command);
  const members = stepMembers(load);
  const names = members.map((member) => member.name);
  const unknown = Object.keys(given).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw at(`/${name}/${unknown}`, `${name} has no ${unknown}${nearestHint(unknown, names)}`, true);
  }
  const missing = members.find((member) => member.isRequired && given[member.name] === undefined);
  if (missing !== undefined) throw at(`/${name}`, `${name} needs ${missing.name} (${missing.description})`);
  return { command, load, given, members };
}

/** `wordsOf`, with the position of a problem. @throws CliError USAGE */
export function wordsAt(
  command: StepName,
  given: Given,
  { members, directory }: { readonly members: readonly StepMember[]; readonly directory: string },
  at: ProblemAt,
): StepArguments {
  try {
    return wordsOf(given, members, directory);
  } catch (error) {
    if (error instanceof MemberProblem) throw at(`/${command}/${error.member}`, `${error.member} ${error.message}`);
    throw error;
  }
}

const example = 'A step is like {party: alice, mint: {amount: 100, pool: coins, to: bob}}';

/** The failure for a problem in a file, with its line and column. */
export function problemAt({ path, yaml }: SeedFile, pointer: string, message: string, key = false): CliError {
  const { line, column } = yaml.position(pointer, key);
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
  return new CliError('USAGE', `${path}:${line}:${column}: ${sentence}`, { details: { path, line, column } });
}

async function fingerprint(path: string, command: StepName, at: ProblemAt): Promise<string> {
  try {
    return sha256(await readFile(path));
  } catch (cause) {
    throw at(`/${command}`, `${path} cannot be read: ${fileProblem(cause)}`);
  }
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isMapping(value: unknown): value is Given {
  return value instanceof Object && !Array.isArray(value);
}
