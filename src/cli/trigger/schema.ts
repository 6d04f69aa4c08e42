import { commandSchema } from '../seed/schema.js';
import { loadStep, stepMembers, triggerNames } from '../seed/step-commands.js';

/** The JSON Schema of trigger files, made of the commands that steps may name. */
export async function triggerSchema(): Promise<Readonly<Record<string, unknown>>> {
  const commands = await Promise.all(
    triggerNames.map(async (name) => [name, commandSchema(stepMembers(await loadStep(name)))] as const),
  );
  const steps = { type: 'array', items: { $ref: '#/definitions/step' } };
  const assertion = { type: 'string', description: 'an assertion; see "help assertions"' };
  const works = ['expect', 'parallel', ...triggerNames].map((name) => ({ required: [name] }));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'trigger.yaml',
    description: 'a test scenario: steps that act on a network and check the results',
    type: 'object',
    required: ['description'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', description: 'a sentence about the scenario' },
      steps: { ...steps, description: 'the steps, in order' },
      finally: { ...steps, description: 'steps that always run at the end, also after a failure' },
    },
    definitions: {
      step: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        oneOf: works,
        properties: {
          name: {
            type: 'string',
            pattern: '^[a-z][\\w-]*$',
            description: 'the name by which later steps refer to this one',
          },
          party: { type: 'string', description: 'name of the party that executes the step, or {{first}}' },
          parties: { type: 'integer', description: 'minimum number of parties; with fewer, the step is skipped' },
          fails: { type: 'integer', description: 'the expected exit code' },
          expect: {
            anyOf: [assertion, { type: 'array', items: assertion }],
            description: 'one assertion, or a list',
          },
          parallel: { ...steps, description: 'steps that run at the same time' },
          ...Object.fromEntries(commands),
        },
      },
    },
  };
}
