import { randomInt, randomUUID } from 'node:crypto';

const placeholder = /\{\{\s*(?:(n|uuid|now)|rand\s+(-?\d{1,15})\s+(-?\d{1,15}))\s*\}\}/g;

export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) >= 0;
}

/**
 * Replaces `{{n}}` (number of the message, from 1), `{{uuid}}`, `{{now}}` (ISO time) and `{{rand 1 100}}` (integer,
 * both ends inclusive). Other braces stay.
 */
export function expand(text: string, n: number): string {
  return text.replaceAll(placeholder, (_, word: string | undefined, from: string, to: string) => {
    if (word === 'n') return String(n);
    if (word === 'uuid') return randomUUID();
    if (word === 'now') return new Date().toISOString();
    const [low, high] = [Number(from), Number(to)].sort((a, b) => a - b);
    return String(randomInt(low ?? 0, Math.min((high ?? 0) + 1, (low ?? 0) + maxRandomRange)));
  });
}

/** `randomInt` draws from at most 2⁴⁸ − 1 numbers. */
const maxRandomRange = 2 ** 48 - 1;
