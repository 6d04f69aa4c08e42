import { resolve } from 'node:path';
import { textOf } from '../../wire/json/json.js';
import type { StepMember } from './step-commands.js';

/** Members whose value is a path, and members whose value may be a path after `@`. */
const pathMembers: ReadonlySet<string> = new Set(['file', 'message-file']);
const payloadMembers: ReadonlySet<string> = new Set(['payload', 'data', 'message']);

/** A problem with a member of a step. The message is a predicate, such as `must be true or false`. */
export class MemberProblem extends Error {
  readonly member: string;

  constructor(member: string, message: string) {
    super(message);
    this.name = 'MemberProblem';
    this.member = member;
  }
}

/** The arguments of a step, and the files that they name. */
export interface StepArguments {
  readonly argv: readonly string[];
  readonly files: readonly string[];
}

/**
 * Converts the members of a step to arguments of its command. Paths are relative to `directory`.
 *
 * @throws MemberProblem
 */
export function wordsOf(
  given: Readonly<Record<string, unknown>>,
  members: readonly StepMember[],
  directory: string,
): StepArguments {
  const files: string[] = [];
  const place = (name: string, text: string) => {
    const isFile = pathMembers.has(name);
    if (!isFile && !(payloadMembers.has(name) && text.startsWith('@'))) return text;
    const path = resolve(directory, isFile ? text : text.slice(1));
    files.push(path);
    return isFile ? path : `@${path}`;
  };
  const flags: string[] = [];
  const positional: string[] = [];
  for (const member of members) {
    const value = given[member.name];
    if (value === undefined) continue;
    const texts = textsOf(value, member).map((text) => place(member.name, text));
    if (member.kind === 'argument') positional.push(...texts);
    else if (member.kind === 'switch') flags.push(...switchOf(value, member));
    else flags.push(...texts.map((text) => `--${member.name}=${text}`));
  }
  return { argv: [...flags, ...(positional.length === 0 ? [] : ['--', ...positional])], files };
}

function switchOf(value: unknown, { name, isNegatable }: StepMember): string[] {
  if (value === true) return [`--${name}`];
  return isNegatable ? [`--no-${name}`] : [];
}

function textsOf(value: unknown, { name, kind, options }: StepMember): string[] {
  if (kind === 'switch') {
    if (typeof value === 'boolean') return [];
    throw new MemberProblem(name, `must be true or false, not ${textOf(value)}`);
  }
  const isList = kind === 'list' && Array.isArray(value);
  const parts: readonly unknown[] = isList ? value : [value];
  return parts.map((part) => {
    const text = textOfPart(part, name);
    if (text === '-') throw new MemberProblem(name, 'cannot be read from stdin; use @FILE');
    if (options !== undefined && !options.includes(text)) {
      throw new MemberProblem(name, `must be ${options.join(' or ')}, not ${text}`);
    }
    return text;
  });
}

/** Text is unchanged; anything else becomes JSON. */
function textOfPart(part: unknown, name: string): string {
  if (typeof part === 'string') return part;
  if (!hasRounded(part)) return textOf(part);
  throw new MemberProblem(
    name,
    typeof part === 'number'
      ? 'is a number that YAML would round; put it in quotes'
      : 'contains a number that YAML would round; write the whole value as JSON in quotes',
  );
}

/** Whether a value contains an integer that may not be the one that was written. */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasRounded);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
