import { type Static, Type } from '@sinclair/typebox';
import { networkName, StackDefinition } from '../settings/definition-schema.js';

const truth = Type.Boolean({ description: 'true or false' });
const { batch, cors, limits, logs, restart, webhooks } = StackDefinition.properties;

/**
 * The schema of the user's `config.yaml`: defaults of the command line, and settings of stacks whose definition does
 * not have them. Only settings that may differ between the machines of a team; the others belong to the network.
 * Descriptions complete the sentence "… must be".
 */
export const UserDefaults = Type.Object(
  {
    template: Type.Optional(Type.String({ minLength: 1, description: 'the name of a template, or a path of one' })),
    namespace: Type.Optional(Type.String({ pattern: networkName, description: 'a namespace name' })),
    color: Type.Optional(truth),
    input: Type.Optional(truth),
    batch,
    cors,
    limits,
    logs,
    restart,
    webhooks,
  },
  { additionalProperties: false, description: 'a mapping of settings' },
);
export type UserDefaults = Static<typeof UserDefaults>;
