import { commandSchema } from '../seed/schema.js';
import { loadStep, stepMembers, triggerNames } from '../seed/step-commands.js';

/** The JSON Schema of trigger files, made of the commands that steps may name. */
export async function triggerSchema(): Promise<Readonly<Record<string, unknown>>> {
  const commands = await Promise.all(
    triggerNames.map(async (name) => [name, commandSchema(stepMembers(await loadStep(name)))] as const),
  );
  const steps = { type: 'array', items: { $ref: '#/definitions/step' } };
  const assertion = { type: 'string', description: 'an assertion, as "help expect" has them' };
  const works = ['expect', 'parallel', ...triggerNames].map((name) => ({ required: [name] }));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'trigger.yaml',
    description: 'steps that make a whole causal chain, and check it',
    type: 'object',
    required: ['description'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', description: 'what it shows, in a sentence' },
      steps: { ...steps, description: 'the steps, in their order' },
      finally: { ...steps, description: 'steps that run in any case, at the end' },
    },
    definitions: {
      step: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        oneOf: works,
        properties: {
          name: { type: 'string', pattern: '^[a-z][\\w-]*$', description: 'by which later steps refer to it' },
          party: { type: 'string', description: 'name of the party whose node does it, or {{first}}' },
          parties: { type: 'integer', description: 'the number of parties without which it is left out' },
          fails: { type: 'integer', description: 'the exit code that it must end with' },
          expect: {
            anyOf: [assertion, { type: 'array', items: assertion }],
            description: 'one assertion, or a list of them',
          },
          parallel: { ...steps, description: 'steps that run at once' },
          ...Object.fromEntries(commands),
        },
      },
    },
  };
}
