import { defaults } from './definition.js';
import { StackDefinition } from '../settings/definition-schema.js';
import { UserDefaults } from './user-defaults.js';

/** Titles of the definition's keys, shown by editors. */
const titles: Readonly<Record<string, string>> = {
  apiVersion: 'The format of this file',
  name: 'Name of the stack',
  template: 'The template that the stack was made from, and its version',
  profile: 'firefly: FireFly takes precedence where it contradicts the specification',
  runtime: 'Where the services run',
  docker: 'Services that run in containers (default: all), and their image (default: made of this package)',
  bind: 'Address on which the nodes listen; beyond loopback it requires auth',
  advertise: 'Name or address by which other machines reach this one',
  tls: 'Certificate of the nodes, whose APIs then use HTTPS',
  trustedNetwork: 'Whether chain and store listen on bind too, and require no token',
  parties: 'The members of the network, each with its node; the first is the default',
  copy: 'Distinguishes a copy of a network from its original; written by snapshot restore --as',
  namespaces: 'Namespaces of every node; the first is the default',
  chain: 'The chain; chainId, genesisTime and mining are fixed at the first start',
  store: 'The shared store',
  database: 'The database of each node',
  tokens: 'Token connectors, and pools that a start creates',
  keys: 'Where keys come from; test keys are published',
  accounts: 'Funded, unregistered accounts for each party',
  auth: 'Whether nodes, chain and store require credentials',
  spi: "Whether nodes serve FireFly's SPI, for reading",
  webhooks: 'Private addresses that webhooks may call',
  hosts: 'Names, besides loopback and bind, by which callers address nodes, chain and store',
  cors: 'Web pages that may call the nodes',
  ports: 'First port of the stack, auto, or os to let the system choose',
  seed: 'Files of steps that a start applies, each step once',
  hooks: 'Command lines that run when the stack is ready, and before it stops',
  restart: 'How often a failing service is restarted',
  limits: 'Limits of each node',
  batch: 'Limits of the batches that a node makes',
  logs: 'Level and size of the log files',
  namespace: 'Default of --ns',
  color: 'false: never write colors',
  input: 'false: never prompt',
};

type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of `stack.yaml`, with titles and defaults for editors. */
export function stackSchema(): Json {
  return published('stack.yaml', StackDefinition, defaults);
}

/** The JSON Schema of `config.yaml`. */
export function userSchema(): Json {
  const { template: _, ...others } = defaults;
  return published('config.yaml', UserDefaults, others);
}

function published(title: string, schema: object, values: Json): Json {
  const { properties, ...rest } = jsonOf(schema);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...rest,
    properties: described(properties, values, titles),
  };
}

/** Adds defaults to properties, and titles at the top level. */
function described(properties: unknown, values: Json, titleOf: Readonly<Record<string, string>> = {}): Json {
  const entries = Object.entries(mappingOf(properties)).map(([key, property]) => {
    const { properties: inner, ...rest } = mappingOf(property);
    const [title, value] = [titleOf[key], values[key]];
    const members =
      inner !== undefined
        ? { properties: described(inner, mappingOf(value)) }
        : value !== undefined
          ? { default: value }
          : {};
    return [key, { ...(title !== undefined && { title }), ...rest, ...members }] as const;
  });
  return Object.fromEntries(entries);
}

function mappingOf(value: unknown): Json {
  return value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};
}

/** Removes the symbols that schemas carry for the validator. */
function jsonOf(schema: object): Json {
  return mappingOf(JSON.parse(JSON.stringify(schema)));
}
