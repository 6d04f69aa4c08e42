import { loadStep, stepMembers, type StepMember, seedNames } from './step-commands.js';

/** The JSON Schema of seed files, made of the commands that steps may name. */
export async function seedSchema(): Promise<Readonly<Record<string, unknown>>> {
  const commands = await Promise.all(
    seedNames.map(async (name) => [name, commandSchema(stepMembers(await loadStep(name)))] as const),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'seed.yaml',
    description: 'steps that stack seed applies in order, each at most once',
    type: 'array',
    items: {
      type: 'object',
      required: ['party'],
      minProperties: 2,
      maxProperties: 2,
      additionalProperties: false,
      properties: {
        party: { type: 'string', description: 'name of the party that executes the step' },
        ...Object.fromEntries(commands),
      },
    },
  };
}

/** The JSON Schema of a command in a step: its arguments and flags by name. */
export function commandSchema(members: readonly StepMember[]): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
    properties: Object.fromEntries(members.map((member) => [member.name, memberSchema(member)])),
  };
}

/** An argument may be any value, since it is sent as JSON. Flags are text or numbers. */
function memberSchema({ kind, description, options }: StepMember): Readonly<Record<string, unknown>> {
  if (kind === 'argument') return { description };
  if (kind === 'switch') return { type: 'boolean', description };
  const one = options === undefined ? {} : { enum: [...options] };
  return { description, ...one };
}
