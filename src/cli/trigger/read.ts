import { dirname } from 'node:path';
import { readYaml } from '../../stack/definition/yaml-text.js';
import { parseAssertion } from '../expect/parse.js';
import { fileText } from '../requests/payload.js';
import { isMapping, problemAt, type ProblemAt, readCommand, type SeedFile, type StepCommand } from '../seed/read.js';
import { triggerNames } from '../seed/step-commands.js';
import { fixedNames, namesIn } from './placeholders.js';
import { nearestHint } from '../../wire/lists/query.js';
import type { TriggerFile } from './find.js';

/** A test scenario: steps that act on a network and check the results. */
export interface Trigger {
  readonly name: string;
  readonly description: string;
  readonly directory: string;
  readonly steps: readonly TriggerStep[];
  /** Steps that always run at the end, also after a failure. */
  readonly finally: readonly TriggerStep[];
}

export interface TriggerStep {
  readonly name: string;
  readonly place: string;
  /** The step is skipped if there are fewer parties. */
  readonly minParties: number;
  readonly work:
    | { readonly kind: 'expect'; readonly assertions: readonly string[] }
    | { readonly kind: 'parallel'; readonly steps: readonly TriggerStep[] }
    | (StepCommand & {
        readonly kind: 'command';
        readonly party: string | undefined;
        /** The expected exit code. */
        readonly exitCode: number;
        readonly at: ProblemAt;
      });
}

/** A setting of `--override`: the name of a step, and the path in it. */
export interface Override {
  readonly path: readonly string[];
  readonly value: string;
}

const example =
  'A step is like {name: send, party: "{{first}}", broadcast: {payload: hello}} or {name: check, expect: …}';

/**
 * Reads a trigger (docs/operations.md §11.10), with the overrides of its steps.
 *
 * @throws CliError USAGE with line and column, or if it cannot be read; StackError STACK_FILE_INVALID for a text that
 * is not YAML
 */
export async function readTrigger({ name, path }: TriggerFile, overrides: readonly Override[]): Promise<Trigger> {
  const yaml = readYaml(await fileText(path), path);
  const file = { path, yaml };
  const { value } = yaml;
  if (!isMapping(value)) throw problemAt(file, '', 'A trigger is a mapping with a description and steps');
  const { description, steps = [], finally: last = [], ...others } = value;
  const [other] = Object.keys(others);
  const known = ['description', 'steps', 'finally'];
  if (other !== undefined) {
    throw problemAt(file, `/${other}`, `The key ${other} is unknown${nearestHint(other, known)}`, true);
  }
  if (typeof description !== 'string') throw problemAt(file, '', 'The description of the trigger is missing');
  const named = new Set<string>();
  return {
    name,
    description,
    directory: dirname(path),
    steps: await readSteps(steps, '/steps', { file, named, overrides }),
    finally: await readSteps(last, '/finally', { file, named, overrides }),
  };
}

interface Reading {
  readonly file: SeedFile;
  /** The names of the steps so far. */
  readonly named: Set<string>;
  readonly overrides: readonly Override[];
}

async function readSteps(value: unknown, pointer: string, reading: Reading): Promise<readonly TriggerStep[]> {
  if (!Array.isArray(value)) throw problemAt(reading.file, pointer, 'Steps must be a list');
  const steps: TriggerStep[] = [];
  for (const [i, step] of value.entries()) steps.push(await readStep(step, `${pointer}/${i}`, reading));
  return steps;
}

async function readStep(written: unknown, pointer: string, reading: Reading): Promise<TriggerStep> {
  const at: ProblemAt = (member, message, key) => problemAt(reading.file, pointer + member, message, key);
  if (!isMapping(written)) throw at('', example);
  const { name } = written;
  if (typeof name !== 'string' || !/^[a-z][\w-]*$/.test(name))
    throw at('', `The name of the step is missing. ${example}`);
  if (reading.named.has(name) || fixedNames.some((each) => each === name)) throw at('/name', `${name} is named twice`);
  const changes = reading.overrides.filter(({ path }) => path[0] === name);
  const step = changes.reduce<Readonly<Record<string, unknown>>>(
    (changed, { path, value }) => withValue(changed, path.slice(1), valueOf(value)),
    written,
  );
  const { line, column } = reading.file.yaml.position(pointer);
  const minParties = typeof step['parties'] === 'number' ? step['parties'] : 1;
  const work = await readWork(step, at, reading, pointer);
  reading.named.add(name);
  return { name, minParties, place: `${reading.file.path}:${line}:${column}`, work };
}

async function readWork(
  { name: _, parties: __, party, fails, expect, parallel, ...command }: Readonly<Record<string, unknown>>,
  at: ProblemAt,
  reading: Reading,
  pointer: string,
): Promise<TriggerStep['work']> {
  for (const used of namesIn([party, expect, command])) requireName(used, reading, at);
  if (parallel !== undefined)
    return { kind: 'parallel', steps: await readSteps(parallel, `${pointer}/parallel`, reading) };
  if (expect !== undefined) return { kind: 'expect', assertions: readAssertions(expect, at) };
  const exitCode = fails ?? 0;
  if (typeof exitCode !== 'number') throw at('/fails', 'fails must be an exit code');
  const found = await readCommand(command, triggerNames, at);
  const needsParty = found.load.flags['party'] !== undefined;
  if (needsParty !== (typeof party === 'string')) {
    throw at('', needsParty ? 'The party of the step is missing' : `${found.command} takes no party`);
  }
  return { kind: 'command', ...found, party: typeof party === 'string' ? party : undefined, exitCode, at };
}

function requireName(name: string, { named }: Reading, at: ProblemAt): void {
  const known = [...fixedNames, ...named];
  if (!known.includes(name)) throw at('', `{{${name}}} is neither an earlier step nor ${fixedNames.join(', ')}`);
}

/** Checks the syntax of assertions, with an id in place of each placeholder. */
function readAssertions(value: unknown, at: ProblemAt): readonly string[] {
  const texts = [value].flat().map(String);
  for (const text of texts) {
    try {
      parseAssertion(text.replaceAll(/\{\{[^}]*\}\}/g, 'aaaa'), 1, 'The assertion');
    } catch (error) {
      throw at('/expect', error instanceof Error ? error.message : String(error));
    }
  }
  return texts;
}

/** Parses JSON; any other text is returned unchanged. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function withValue(
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [key = '', ...rest] = path;
  const inner = object[key];
  return { ...object, [key]: rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value) };
}
