import { basename } from 'node:path';
import { partyNames, requireName } from '../../../stack/create.js';
import { type AnswerInput, canAsk, type ConfirmWords, openQuestions } from '../../terminal/prompt.js';
import type { Surroundings } from '../../requests/target.js';

/** The flags of `stack init` that questions may complete. */
export interface Answerable extends ConfirmWords {
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
  words: Words,
  surroundings: Surroundings,
  input?: AnswerInput,
): Promise<Words> {
  const { output } = surroundings;
  const isSilent = words.yes || output.isJson || output.isQuiet;
  if (words.name !== undefined || isSilent || !canAsk(words, surroundings, input)) return words;
  const folder = basename(process.cwd());
  const usual = words.here && isName(folder) ? folder : 'dev';
  const questions = openQuestions(surroundings, input);
  try {
    const name = await questions.ask({ text: 'Name of the stack', initial: usual, check: requireName });
    const parties = words.parties ?? (await questions.ask(partiesQuestion));
    const template = words.template ?? (/^y/i.test(await questions.ask(tokensQuestion)) ? 'tokens' : undefined);
    return { ...words, name, parties, template };
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
