import { randomBytes } from 'node:crypto';
import { textOf, valueOf } from '../../wire/json/json.js';
import { compact } from '../../wire/json/json-reader.js';
import type { BaseCommand } from '../base.js';
import { durationMs } from '../duration.js';
import { newestSequence } from '../events/past-events.js';
import { CliError, exitCodes, exitNameOf } from '../errors/exit.js';
import { createCheck } from '../expect/checks.js';
import { checkAll, outcomeText } from '../expect/expect.js';
import { parseAssertion } from '../expect/parse.js';
import { failureOf } from '../errors/failure.js';
import { takeSignals } from '../signals.js';
import { result } from '../terminal/output.js';
import { captured } from '../seed/captured.js';
import { isMapping, wordsAt } from '../seed/read.js';
import { openTarget, type CommandContext, type Target, type TargetFlags } from '../requests/target.js';
import { plural, safe, spanOf } from '../terminal/text.js';
import { findTrigger } from './find.js';
import { createInterruption } from './interruption.js';
import { fill, fillText, namesIn } from './placeholders.js';
import { type Override, readTrigger, type Trigger, type TriggerStep } from './read.js';

export interface TriggerFlags extends TargetFlags {
  readonly name: string;
  readonly override: readonly string[];
  readonly skip: readonly string[];
  readonly within: string;
}

type TriggerContext = CommandContext & Pick<BaseCommand, 'config'>;

interface Run {
  readonly trigger: Trigger;
  readonly target: Target;
  readonly flags: TriggerFlags;
  readonly withinMs: number;
  readonly context: TriggerContext;
  readonly values: Map<string, unknown>;
  /** The sequence of the newest event at the start of the run, by party. */
  readonly eventsAfter: ReadonlyMap<string, number>;
}

interface Done {
  readonly name: string;
  readonly state: 'done' | 'skipped';
  readonly durationMs: number;
}

/**
 * `stack trigger`: runs the steps of a test scenario (docs/operations.md §11.10).
 *
 * @throws CliError as the commands of the steps, NOT_FOUND, UNHEALTHY for an assertion that is not met, INTERRUPTED
 */
export async function runTrigger(flags: TriggerFlags, context: TriggerContext): Promise<void> {
  const withinMs = durationMs(flags.within, '--within');
  const overrides = flags.override.map(readOverride);
  const trigger = await readTrigger(await findTrigger(flags.name, flags, context), overrides);
  requireSteps(trigger, [...overrides.map(({ path }) => path[0] ?? ''), ...flags.skip]);
  const target = await openTarget(flags, context);
  const run = { trigger, target, flags, withinMs, context, ...(await beginningOf(trigger, target)) };
  const begunMs = performance.now();
  const done: Done[] = [];
  const { output } = context;
  const interruption = createInterruption(takeSignals(), () => {
    if (trigger.finally.length > 0) {
      void output.note('Running the steps under "finally". To skip them, press Ctrl-C again.');
    }
  });
  try {
    for (const step of trigger.steps) done.push(await interruption.duringStep(step, runStep(step, run)));
  } finally {
    await interruption.duringFinally(undoAll(run));
  }
  const spentMs = Math.round(performance.now() - begunMs);
  if (output.isJson) {
    await output.json(
      textOf(result({ trigger: trigger.name, run: run.values.get('run'), steps: done, durationMs: spentMs })),
    );
  } else if (output.isQuiet) await output.line(String(run.values.get('run')));
  else await output.line(`${safe(trigger.name)}: ${plural(done.length, 'step')} in ${spanOf(spentMs)}`);
}

/** Parses `send.broadcast.tag=x`. @throws CliError USAGE */
export function readOverride(text: string): Override {
  const [, path = '', value = ''] = /^([\w-]+(?:\.[\w -]+)+)=(.*)$/s.exec(text) ?? [];
  if (path !== '') return { path: path.split('.'), value };
  throw new CliError('USAGE', `--override must be like STEP.COMMAND.FLAG=value, not "${text}".`, {
    hint: 'For example: send.broadcast.tag=order',
  });
}

/** Checks that steps exist. @throws CliError USAGE */
function requireSteps({ name, steps, finally: last }: Trigger, wanted: readonly string[]): void {
  const names = allOf([...steps, ...last]).map((step) => step.name);
  const unknown = wanted.find((each) => !names.includes(each));
  if (unknown === undefined) return;
  throw new CliError('USAGE', `${name} has no step ${unknown}; its steps are ${names.join(', ')}.`);
}

function allOf(steps: readonly TriggerStep[]): readonly TriggerStep[] {
  return steps.flatMap((step) => [step, ...(step.work.kind === 'parallel' ? allOf(step.work.steps) : [])]);
}

/** The values of the fixed placeholders. @throws CliError USAGE if the stack lacks a party or connector */
async function beginningOf(trigger: Trigger, { parties }: Target): Promise<Pick<Run, 'values' | 'eventsAfter'>> {
  const [first, second] = parties;
  const used = new Set(namesIn(allOf([...trigger.steps, ...trigger.finally]).map(({ work }) => work)));
  if (first === undefined || (second === undefined && used.has('second'))) {
    throw new CliError('USAGE', `${trigger.name} needs two parties, but the stack has only ${first?.name ?? 'none'}.`);
  }
  const values = new Map<string, unknown>([
    ['run', `t${randomBytes(4).toString('hex')}`],
    ['first', first.name],
    ['second', second?.name],
    ['last', parties.at(-1)?.name],
  ]);
  if (used.has('connector')) {
    const [connector] = (await first.client.getStatus()).value.plugins.tokens;
    if (connector === undefined)
      throw new CliError('USAGE', `${trigger.name} needs a token connector, but the stack has none.`);
    values.set('connector', connector.name);
  }
  const newest = parties.map(async ({ name, client }) => [name, await newestSequence(client)] as const);
  return { values, eventsAfter: new Map(await Promise.all(newest)) };
}

async function undoAll(run: Run): Promise<void> {
  for (const step of run.trigger.finally) await undo(step, run);
}

/** Runs a step of `finally`, unless a step that it refers to did not run. Nothing to undo is not a failure. */
async function undo(step: TriggerStep, run: Run): Promise<void> {
  const { values, flags } = run;
  const isPossible = step.work.kind !== 'command' || namesIn(step.work.given).every((name) => values.has(name));
  if (!isPossible || flags.skip.includes(step.name)) return;
  try {
    await work(step, run);
  } catch (error) {
    if (failureOf(error, run.context.program).exitCode !== exitCodes.NOT_FOUND) throw error;
  }
}

async function runStep(step: TriggerStep, run: Run): Promise<Done> {
  const { flags, target, context } = run;
  const { output } = context;
  const begunMs = performance.now();
  const isSkipped = flags.skip.includes(step.name) || target.parties.length < step.minParties;
  try {
    if (!isSkipped) await work(step, run);
  } catch (error) {
    const { message, hint, exitCode, details } = failureOf(error, context.program);
    const where = `${run.trigger.name}, step ${step.name}`;
    const more = { step: step.name, place: step.place };
    throw new CliError(
      exitNameOf(exitCode),
      message.startsWith(`${run.trigger.name}, `) ? message : `${where}: ${message}`,
      {
        hint,
        exitCode,
        cause: error,
        details: { ...more, ...details },
      },
    );
  }
  const spentMs = Math.round(performance.now() - begunMs);
  if (!output.isJson && !output.isQuiet) {
    const mark = isSkipped ? '·' : output.out.paint('green', '✓');
    await output.line(`${mark} ${step.name}${isSkipped ? ' · skipped' : ` · ${spanOf(spentMs)}`}`);
  }
  return { name: step.name, state: isSkipped ? 'skipped' : 'done', durationMs: spentMs };
}

async function work(step: TriggerStep, run: Run): Promise<void> {
  if (step.work.kind === 'expect') await check(step.work.assertions, run);
  else if (step.work.kind === 'parallel') {
    const settled = await Promise.allSettled(step.work.steps.map((each) => runStep(each, run)));
    for (const each of settled) if (each.status === 'rejected') throw each.reason;
  } else await command(step.name, step.work, run);
}

async function check(texts: readonly string[], run: Run): Promise<void> {
  const { target, eventsAfter, withinMs, context } = run;
  const checkContext = { target, eventsAfter, directory: run.trigger.directory };
  const assertions = texts.map((text, i) => parseAssertion(fillText(text, run.values), i + 1, `Assertion ${i + 1}`));
  const outcomes = await checkAll(assertions, (assertion) => createCheck(assertion, checkContext), withinMs);
  const failed = outcomes.filter(({ actual }) => actual !== undefined);
  if (failed.length === 0) return;
  const shown = failed.map((outcome) => outcomeText(outcome, context.output.err.paint));
  const members = failed.map(({ assertion, actual }) => ({ expected: assertion.text, actual }));
  throw new CliError('UNHEALTHY', `expected ${shown.join('; ')}`, { details: { failed: members } });
}

type CommandWork = Extract<TriggerStep['work'], { readonly kind: 'command' }>;

async function command(
  name: string,
  { load: Command, exitCode, party, ...rest }: CommandWork,
  run: Run,
): Promise<void> {
  const { flags, context, values, trigger } = run;
  const given = fill(rest.given, values);
  const { members, at } = rest;
  const { argv } = wordsAt(rest.command, isMapping(given) ? given : {}, { members, directory: trigger.directory }, at);
  const { stack, ns, url, ca, 'auth-file': authFile } = flags;
  const target = Object.entries({ stack, ns, url, ca, 'auth-file': authFile }).flatMap(([flag, value]) =>
    value === undefined || Command.flags[flag] === undefined ? [] : [`--${flag}=${value}`],
  );
  const waits =
    Command.flags['wait'] !== undefined && rest.given['wait'] === undefined && rest.given['no-wait'] === undefined;
  const words = [
    ...target,
    ...(party === undefined ? [] : ['-p', fillText(party, values)]),
    ...(waits ? ['--wait=all'] : []),
    ...argv,
  ];
  const answers: string[] = [];
  const ended = await codeOf(
    () => new Command(words, context.config).runWithin(captured(context.output, answers)),
    exitCode,
    context.program,
  );
  if (ended !== exitCode) throw new CliError('UNHEALTHY', `${rest.command} ended with ${ended}, not with ${exitCode}`);
  values.set(name, answers[0] === undefined ? {} : valueOf(compact(answers[0])));
}

/** The exit code of a command. @throws its failure, if another code was expected */
async function codeOf(run: () => Promise<void>, expected: number, program: string): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (failureOf(error, program).exitCode !== expected) throw error;
    return expected;
  }
}
