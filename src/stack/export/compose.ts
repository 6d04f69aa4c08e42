import { stringify } from 'yaml';
import type { ServiceSpec, TaskSpec } from '../../supervisor/plan.js';
import { programsInImage } from '../engines/image-files.js';
import { type ExportedNetwork, root } from './network.js';
import { secretsOf } from './secrets.js';

type Values = Readonly<Record<string, unknown>>;

/** Memory limits by kind. A dry run on the chain may take two gigabytes for a moment. */
const memory = { chain: '3g', store: '1g', node: '2g', task: '512m' } as const;
const maxProcesses = 256;
const stopGrace = '15s';

/**
 * The text of `compose.yaml`, for every Compose since 1.29. Secrets are files that only their owner reads, so the
 * services run as that owner; each data folder has one service that writes to it.
 */
export function composeText(network: ExportedNetwork): string {
  const { name, services, tasks } = network;
  const ofServices = services.map((spec) => [spec.name, serviceOf(network, spec)] as const);
  const ofTasks = tasks.map((spec) => [spec.name, jobOf(network, spec)] as const);
  const head = `# The network ${name}. README.md says how to start it.\n`;
  return head + stringify({ services: Object.fromEntries([...ofServices, ...ofTasks]) }, { lineWidth: 0 });
}

/** The text of `.env`: what differs between machines. */
export function environmentText({ name, image, settings }: ExportedNetwork, user: string): string {
  const isPublic = settings.advertise !== null;
  return [
    `COMPOSE_PROJECT_NAME=${name}`,
    `PARLEY_IMAGE=${image}`,
    '# uid:gid of the owner of these files',
    `PARLEY_USER=${user}`,
    '# the address on which the ports of the nodes are published: beyond this machine only with auth',
    `PARLEY_BIND=${isPublic ? '0.0.0.0' : '127.0.0.1'}`,
    ...Object.entries(memory).map(([kind, limit]) => `PARLEY_${kind.toUpperCase()}_MEMORY=${limit}`),
    '',
  ].join('\n');
}

function serviceOf(network: ExportedNetwork, spec: ServiceSpec): Values {
  const { ports, settings } = network;
  const isNode = spec.kind === 'node';
  const port = isNode ? ports.parties[spec.name] : ports[spec.name === 'chain' ? 'chain' : 'store'];
  const data = isNode ? `data/nodes/${spec.name}` : `data/${spec.name}`;
  const written = isNode ? [data, `keys/${spec.name}/wallet`] : [data];
  const publishedPeer = settings.advertise === null ? [] : [ports.peers[spec.name]];
  const published = isNode || settings.trustedNetwork ? [port, ...(isNode ? publishedPeer : [])] : [];
  return {
    ...commonOf(network, spec, spec.kind, written),
    restart: 'unless-stopped',
    ...(published.length > 0 && { ports: published.map((each) => `\${PARLEY_BIND}:${each}:${each}`) }),
    healthcheck: {
      test: ['CMD', 'node', '-e', healthProgram(port ?? 0, spec)],
      interval: '5s',
      timeout: '5s',
      retries: 6,
      start_period: '2m',
    },
  };
}

function jobOf(network: ExportedNetwork, spec: TaskSpec): Values {
  const writesContracts = spec.name === 'contracts';
  return {
    ...commonOf(network, spec, 'task', writesContracts ? ['network'] : []),
    restart: 'on-failure',
  };
}

function commonOf(
  network: ExportedNetwork,
  spec: ServiceSpec | TaskSpec,
  kind: string,
  written: readonly string[],
): Values {
  const { inside, secrets } = network;
  const config = `${root}/config/${spec.name}.json`;
  const read = secretsOf(spec.name, secrets, inside, spec.config.value).map((path) => `keys/${path}`);
  const isSeen = (path: string) => written.some((folder) => path.startsWith(`${folder}/`));
  const contracts = kind === 'node' ? ['network'] : [];
  return {
    image: '${PARLEY_IMAGE}',
    command: ['node', `${programsInImage}/${spec.kind}.js`, ...(spec.type === 'task' ? [spec.name] : []), config],
    user: '${PARLEY_USER}',
    ...(spec.after.length > 0 && { depends_on: dependenciesOf(network, spec) }),
    volumes: [
      `./config/${spec.name}.json:${config}:ro`,
      ...[...contracts, ...read.filter((path) => !isSeen(path))].map((path) => `./${path}:${root}/${path}:ro`),
      ...written.map((path) => `./${path}:${root}/${path}`),
    ],
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: `\${PARLEY_${kind.toUpperCase()}_MEMORY}`,
    pids_limit: maxProcesses,
    stop_grace_period: stopGrace,
    logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
  };
}

const conditions = {
  started: 'service_started',
  healthy: 'service_healthy',
  completed: 'service_completed_successfully',
} as const;

function dependenciesOf({ services, tasks }: ExportedNetwork, { after }: ServiceSpec | TaskSpec): Values {
  const known = [...services, ...tasks].map((spec) => spec.name);
  const there = after.filter(({ name }) => known.includes(name));
  return Object.fromEntries(there.map(({ name, condition }) => [name, { condition: conditions[condition] }]));
}

/**
 * A program that exits with 0 if a service answers and, for a node, has read the chain to its head. It runs every few
 * seconds in each container, and Node's `fetch` would take it twice as much processor time.
 */
export function healthProgram(port: number, { health: { certificateFile } }: Pick<ServiceSpec, 'health'>): string {
  const scheme = certificateFile === undefined ? 'http' : 'https';
  return [
    certificateFile === undefined ? 'const how={};' : onlyCertificate(certificateFile),
    `require('${scheme}').get('${scheme}://127.0.0.1:${port}/livez',how,async(a)=>{`,
    `let t='';for await(const c of a)t+=c;process.exit(JSON.parse(t).ready===false?1:0)`,
    `}).on('error',()=>process.exit(1))`,
  ].join('');
}

/** Options of a request that accepts one certificate, whatever host it names. */
function onlyCertificate(file: string): string {
  return [
    `const ca=require('fs').readFileSync('${file}'),own=new (require('crypto').X509Certificate)(ca).raw;`,
    `const checkServerIdentity=(_,{raw})=>raw.equals(own)?undefined:new Error('another certificate');`,
    `const how={ca,checkServerIdentity,allowPartialTrustChain:true};`,
  ].join('');
}
