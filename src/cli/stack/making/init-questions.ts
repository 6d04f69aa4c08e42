import { basename } from 'node:path';
import { partyNames, requireName } from '../../../stack/create.js';
import { placeFrom } from '../../../stack/layout.js';
import { readProjectFile } from '../../../stack/places/project.js';
import { readRegistry } from '../../../stack/places/registry.js';
import { type AnswerInput, canAsk, type ConfirmFlags, openQuestions } from '../../terminal/prompt.js';
import type { CommandContext } from '../../requests/target.js';

/** The flags of `stack init` that questions can complete. */
export interface Answerable extends ConfirmFlags {
  readonly name?: string | undefined;
  readonly template?: string | undefined;
  readonly parties?: string | undefined;
  readonly here: boolean;
  readonly 'if-missing': boolean;
}

/**
 * Asks for name, parties and tokens if no name is given and there is a terminal. Otherwise the defaults apply.
 *
 * @throws CliError INTERRUPTED
 */
export async function completeInit<InitFlags extends Answerable>(
  flags: InitFlags,
  context: CommandContext,
  input?: AnswerInput,
): Promise<InitFlags> {
  const { output } = context;
  const isSilent = flags.yes || output.isJson || output.isQuiet;
  if (flags.name !== undefined || isSilent || !canAsk(flags, context, input)) return flags;
  // The definition of this directory has all answers.
  if (flags.here && (await readProjectFile(process.cwd())) !== undefined) return flags;
  const folder = basename(process.cwd());
  // In a project, a name that exists gets a suffix.
  const isAnyFree = flags.here || flags['if-missing'];
  const taken = isAnyFree ? [] : Object.keys(await readRegistry(placeFrom(context.environment)));
  const usual = flags.here && isName(folder) ? folder : freeName(taken);
  const questions = openQuestions(context, input);
  try {
    const name = await questions.ask({ text: 'Name of the stack', initial: usual, check: nameCheck(taken) });
    const parties = flags.parties ?? (await questions.ask(partiesQuestion));
    const template = flags.template ?? (/^y/i.test(await questions.ask(tokensQuestion)) ? 'tokens' : undefined);
    return { ...flags, name, parties, template };
  } finally {
    questions.close();
  }
}

function nameCheck(taken: readonly string[]) {
  return (text: string): void => {
    requireName(text);
    if (taken.includes(text)) throw new Error(`The stack ${text} already exists. Choose another name.`);
  };
}

/** The first of dev, dev-2, dev-3, … that no stack has. */
function freeName(taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'dev' : `dev-${count}`;
    if (!taken.includes(name)) return name;
  }
}

const partiesQuestion = { text: 'Parties (number or names)', initial: 'alice,bob,carol', check: partyNames };

const tokensQuestion = {
  text: 'Create the token pools coins and deeds, with tokens for each party? y/n',
  initial: 'n',
  check: (text: string): void => {
    if (!/^(?:y|yes|n|no)$/i.test(text)) throw new Error('Answer y or n.');
  },
};

function isName(text: string): boolean {
  try {
    requireName(text);
    return true;
  } catch {
    return false;
  }
}
