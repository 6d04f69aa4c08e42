import { basename } from 'node:path';
import { partyNames, requireName } from '../../../stack/create.js';
import { readProjectFile } from '../../../stack/places/project.js';
import { type AnswerInput, canAsk, type ConfirmFlags, openQuestions } from '../../terminal/prompt.js';
import type { CommandContext } from '../../requests/target.js';

/** The flags of `stack init` that questions may complete. */
export interface Answerable extends ConfirmFlags {
  readonly name?: string | undefined;
  readonly template?: string | undefined;
  readonly parties?: string | undefined;
  readonly here: boolean;
}

/**
 * Asks a user at a terminal who named no stack for missing flags: name, parties, tokens. Otherwise the defaults apply.
 *
 * @throws CliError INTERRUPTED
 */
export async function completeInit<Words extends Answerable>(
  flags: Words,
  context: CommandContext,
  input?: AnswerInput,
): Promise<Words> {
  const { output } = context;
  const isSilent = flags.yes || output.isJson || output.isQuiet;
  if (flags.name !== undefined || isSilent || !canAsk(flags, context, input)) return flags;
  // A definition that is checked out here answers all of it.
  if (flags.here && (await readProjectFile(process.cwd())) !== undefined) return flags;
  const folder = basename(process.cwd());
  const usual = flags.here && isName(folder) ? folder : 'dev';
  const questions = openQuestions(context, input);
  try {
    const name = await questions.ask({ text: 'Name of the stack', initial: usual, check: requireName });
    const parties = flags.parties ?? (await questions.ask(partiesQuestion));
    const template = flags.template ?? (/^y/i.test(await questions.ask(tokensQuestion)) ? 'tokens' : undefined);
    return { ...flags, name, parties, template };
  } finally {
    questions.close();
  }
}

const partiesQuestion = { text: 'Parties: how many, or their names', initial: 'alice,bob,carol', check: partyNames };

const tokensQuestion = {
  text: 'Token pools coins and deeds, with something for each party? y/n',
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
