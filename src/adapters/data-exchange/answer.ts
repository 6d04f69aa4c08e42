import { type PeerAnswer, PeerError } from '../../ports/data-exchange.js';
import { assertConforms } from '../../wire/check.js';
import { ServiceError } from '../../wire/errors/error.js';
import { PeerAnswerBody } from '../../wire/messages/exchange.js';
import { read } from '../../wire/json/json-reader.js';

export type OfferAnswer = PeerAnswer | { readonly status: 'wanted'; readonly start: number };

/** Parses the answer of a peer. @throws PeerError if it is invalid */
export function readAnswer(text: string): OfferAnswer {
  const { status, reason = '', start } = parse(text);
  if (status === 'stored') return { status };
  if (status !== 'wanted') return { status, reason };
  if (start === undefined) throw new PeerError('The peer wants a blob and does not give a position.');
  return { status, start };
}

/** Parses the answer to a complete transfer. @throws PeerError if it is invalid */
export function readFinalAnswer(text: string): PeerAnswer {
  const answer = readAnswer(text);
  if (answer.status === 'wanted') throw new PeerError('The peer wants more of a complete transfer.');
  return answer;
}

function parse(text: string): PeerAnswerBody {
  try {
    const { value } = read(text, PeerAnswerBody);
    assertConforms(PeerAnswerBody, value, 'the answer');
    return value;
  } catch (cause) {
    if (cause instanceof ServiceError) throw new PeerError('The peer’s answer cannot be read.', { cause });
    throw cause;
  }
}
