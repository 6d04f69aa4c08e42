import { Command } from '@oclif/core/command';
import * as Flags from '@oclif/core/flags';
import type { ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput } from '@oclif/core/interfaces';
import { textOf } from '../wire/json/json.js';
import { createOutput, type Environment, modesFrom, type Output, result } from './terminal/output.js';
import { nameStack, typedStack } from './errors/named-stack.js';
import { toUsageError } from './errors/usage-error.js';
import { flagsOfCommand, namedStack, nextStep, repeatFlags } from './next-step.js';

/** The result of a command: text for a person, members for a script, and the one value for `--quiet`. */
export interface CommandResult {
  /** Members of the object that `--json` prints, or a text that is printed unchanged. */
  readonly json: Readonly<Record<string, unknown>> | string;
  /** An empty text prints nothing. */
  readonly text: string;
  /** Printed by `--quiet`; default nothing. */
  readonly primary?: string | undefined;
}

const outputFlags = {
  json: Flags.boolean({ description: 'print JSON', helpGroup: 'OUTPUT' }),
  quiet: Flags.boolean({ char: 'q', description: 'print only ids, names or the value asked for', helpGroup: 'OUTPUT' }),
  verbose: Flags.boolean({ char: 'v', description: 'show requests and traces on stderr', helpGroup: 'OUTPUT' }),
  'no-color': Flags.boolean({ description: 'print without colours', helpGroup: 'OUTPUT' }),
};

/** The options of a flag, or its description. */
function valuesText(flag: Command.Flag.Any): string {
  const options = 'options' in flag ? flag.options : undefined;
  return options?.join(' or ') ?? flag.description ?? '';
}

const gap = '   ·   ';

/** The environment of this process. Other modules of the command line do not read it directly. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Sets variables of the environment that are missing or empty; child processes inherit them. */
export function addToEnvironment(variables: Environment): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && (process.env[name] ?? '') === '') process.env[name] = value;
  }
}

/** The base of every command. Failures are thrown; `main.ts` prints them and sets the exit code. */
export abstract class BaseCommand extends Command {
  static override baseFlags = outputFlags;

  #output: Output | undefined;

  get output(): Output {
    this.#output ??= createOutput({
      stdout: process.stdout,
      stderr: process.stderr,
      environment: this.environment,
      modes: modesFrom(this.argv),
    });
    return this.#output;
  }

  get environment(): Environment {
    return processEnvironment();
  }

  /** The typed name of the program: `stack` or `parley`. */
  get program(): string {
    return this.config.bin;
  }

  /** Repeats the typed flags that select the stack and the node in the commands of a hint. */
  repeatFlags(hint: string): string {
    return repeatFlags(hint, this.program, this.argv, this.config, typedStack(this.argv));
  }

  /** Checks the arguments as far as no node is needed, without running the command. @throws CliError USAGE */
  async check(): Promise<void> {
    try {
      await this.examine();
    } catch (error) {
      await this.rethrow(error);
    }
  }

  /** Parses the arguments; a command overrides this to check more. */
  protected async examine(): Promise<void> {
    await this.parse(this.ctor);
  }

  /** Runs the command within another one, on the output of that one. @throws CliError */
  async runWithin(output: Output): Promise<void> {
    this.#output = output;
    try {
      await this.run();
    } catch (error) {
      await this.rethrow(error);
    }
  }

  private async rethrow(error: unknown): Promise<void> {
    if (error instanceof Error) await this.catch(error);
    throw error;
  }

  protected async answer({ json, text, primary }: CommandResult): Promise<void> {
    const { output } = this;
    if (output.isJson) await output.json(typeof json === 'string' ? json : textOf(result(json)));
    else if (output.isQuiet) await (primary === undefined ? undefined : output.line(primary));
    else if (text !== '') await output.line(text);
  }

  /** Suggests next commands for the stack of this one, if stderr is a terminal. */
  protected async suggest(...commands: readonly string[]): Promise<void> {
    await this.suggestFor(namedStack(this.id ?? '', this.argv, this.config), ...commands);
  }

  /** Suggests next commands for a stack, which they name unless they select it anyway; undefined = the selected one. */
  protected async suggestFor(name: string | undefined, ...commands: readonly string[]): Promise<void> {
    const { output } = this;
    if (output.isJson || output.isQuiet || !output.err.isTerminal) return;
    const stack = typedStack(this.argv) ?? (name === undefined ? undefined : await this.#unlessSelected(name));
    const flagsOf = (name: string) => flagsOfCommand(this.config, name);
    const steps = commands.flatMap((command) => nextStep(command, this.argv, flagsOf) ?? []);
    if (steps.length === 0) return;
    const lines = steps.map((step) => nameStack(`${this.program} ${step}`, this.program, stack));
    const isShort = `Try: ${lines.join(gap)}`.length <= output.err.width;
    const shown = lines.map((line) => output.err.paint('bold', line));
    await output.err.write(`Try: ${shown.join(isShort ? gap : '\n     ')}\n`);
  }

  async #unlessSelected(name: string): Promise<string | undefined> {
    const { isSelected } = await import('./requests/target.js');
    return (await isSelected(name, this)) ? undefined : name;
  }

  /**
   * Returns `argv` in the typed order. The parser orders arguments by the first occurrence of each word, which is wrong
   * for a word that is repeated or is also the value of a flag.
   */
  protected override async parse<
    F extends OutputFlags<FlagInput>,
    B extends OutputFlags<FlagInput>,
    A extends OutputArgs<ArgInput>,
  >(options?: Input<F, B, A>, argv?: string[]): Promise<ParserOutput<F, B, A>> {
    const parsed = await super.parse(options, argv);
    return { ...parsed, argv: parsed.raw.flatMap(({ type, input }) => (type === 'arg' ? [input] : [])) };
  }

  protected override async catch(error: Error): Promise<never> {
    const { program, ctor, environment } = this;
    const id = ctor.id.replaceAll(':', ' ');
    // Despite its type, `flags` is undefined for a command without flags.
    const known = Object.entries({ ...ctor.baseFlags, ...ctor.flags });
    const flags = Object.fromEntries(known.map(([name, flag]) => [name, valuesText(flag)]));
    const typed = { program, id, words: this.argv, arguments: Object.keys(ctor.args), flags };
    const { withStackHint } = await import('./errors/stack-word.js');
    throw await withStackHint(toUsageError(error, typed), typed, environment);
  }
}
