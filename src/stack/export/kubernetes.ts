import { stringify } from 'yaml';
import type { ServiceSpec, TaskSpec } from '../../supervisor/plan.js';
import { textOf } from '../../wire/json/json.js';
import { programsInImage } from '../engines/image-files.js';
import type { Contracts } from '../running/contracts-file.js';
import { healthProgram } from './compose.js';
import { copyProgram, waitProgram } from './init-programs.js';
import { type ExportedNetwork, root } from './network.js';
import { secretsOf } from './secrets.js';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Values };
  readonly [member: string]: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** A network with the texts that its manifests contain. */
export interface ClusterParts {
  readonly network: ExportedNetwork;
  readonly contracts: Contracts;
  /** The text of each secret file by its path. */
  readonly secretTexts: ReadonlyMap<string, string>;
}

const limits: Readonly<Record<string, readonly [requested: string, most: string]>> = {
  chain: ['512Mi', '3Gi'],
  store: ['128Mi', '1Gi'],
  node: ['256Mi', '2Gi'],
  task: ['128Mi', '512Mi'],
};
const storage = '10Gi';
/** An arbitrary user id: the image has no users. */
const userId = 1_000;
const jobRetries = 30;
const jobKeptSeconds = 600;

export function manifestsText(manifests: readonly Manifest[]): string {
  return manifests.map((each) => `---\n${stringify(each, { lineWidth: 0 })}`).join('');
}

/** A Secret for each pod, with the files that it reads and no others. */
export function secretManifests({ network, secretTexts }: ClusterParts): Manifest[] {
  return podsOf(network).flatMap((spec) => {
    const paths = pathsFor(network, spec);
    if (paths.length === 0) return [];
    const data = paths.map((path) => [keyOf(path), base64(secretTexts.get(path) ?? '')] as const);
    return [
      { ...headOf(network, 'v1', 'Secret', secretName(spec.name), spec.name), type: 'Opaque', data: objectOf(data) },
    ];
  });
}

/** Everything else: the configuration, services with their storage, jobs, and who may call whom. */
export function networkManifests(parts: ClusterParts): Manifest[] {
  const { network } = parts;
  return [
    configMap(parts),
    ...network.services.flatMap((spec) => [service(network, spec), statefulSet(parts, spec)]),
    ...network.tasks.map((spec) => job(parts, spec)),
    ...policies(network),
  ];
}

function podsOf({ services, tasks }: ExportedNetwork): (ServiceSpec | TaskSpec)[] {
  return [...services, ...tasks];
}

function headOf(network: ExportedNetwork, apiVersion: string, kind: string, name: string, component: string): Manifest {
  return { apiVersion, kind, metadata: { name, labels: labelsOf(network, component) } };
}

function labelsOf({ name }: ExportedNetwork, component?: string): Values {
  return {
    'app.kubernetes.io/name': 'parley',
    'app.kubernetes.io/instance': name,
    ...(component !== undefined && { 'app.kubernetes.io/component': component }),
  };
}

function configMap({ network, contracts }: ClusterParts): Manifest {
  const configs = podsOf(network).map((spec) => [`${spec.name}.json`, textOf(configOf(spec))] as const);
  const data = objectOf([...configs, ['contracts-known.json', textOf(contracts)]]);
  return { ...headOf(network, 'v1', 'ConfigMap', 'config', 'config'), data };
}

/** The folder of a node's further keys, on its volume: the node adds keys to it. */
const wallet = `${root}/wallet`;

function configOf({ kind, config: { value } }: ServiceSpec | TaskSpec): unknown {
  return kind === 'node' && value instanceof Object ? { ...value, walletDirectory: wallet } : value;
}

function portsFor({ ports }: ExportedNetwork, { name, kind }: ServiceSpec): { name: string; port: number }[] {
  if (kind !== 'node') return [{ name: 'http', port: ports[name === 'chain' ? 'chain' : 'store'] }];
  return [
    { name: 'http', port: ports.parties[name] ?? 0 },
    { name: 'peer', port: ports.peers[name] ?? 0 },
  ];
}

/** The name of a Service is the host by which the others call it. */
function service(network: ExportedNetwork, spec: ServiceSpec): Manifest {
  return {
    ...headOf(network, 'v1', 'Service', spec.name, spec.name),
    spec: {
      clusterIP: 'None',
      // Peers call a node even while it is still reading the chain.
      publishNotReadyAddresses: true,
      selector: labelsOf(network, spec.name),
      ports: portsFor(network, spec).map(({ name, port }) => ({ name, port, targetPort: port })),
    },
  };
}

function statefulSet(parts: ClusterParts, spec: ServiceSpec): Manifest {
  const { network } = parts;
  const [{ port } = { port: 0 }] = portsFor(network, spec);
  const isSecure = spec.health.certificateFile !== undefined;
  const httpHeaders = [{ name: 'Host', value: `127.0.0.1:${port}` }];
  const answers = { httpGet: { path: '/livez', port, ...(isSecure && { scheme: 'HTTPS' }), httpHeaders } };
  const container = {
    ...containerOf(network, spec, spec.kind),
    ports: portsFor(network, spec).map(({ name, port: containerPort }) => ({ name, containerPort })),
    startupProbe: { ...answers, periodSeconds: 2, failureThreshold: 150 },
    livenessProbe: { ...answers, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: {
      exec: { command: ['node', '-e', healthProgram(port, spec)] },
      periodSeconds: 10,
      timeoutSeconds: 5,
    },
  };
  return {
    ...headOf(network, 'apps/v1', 'StatefulSet', spec.name, spec.name),
    spec: {
      // Two replicas would write the same data.
      replicas: 1,
      serviceName: spec.name,
      selector: { matchLabels: labelsOf(network, spec.name) },
      template: { metadata: { labels: labelsOf(network, spec.name) }, spec: podOf(parts, spec, container) },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
        },
      ],
    },
  };
}

function job(parts: ClusterParts, spec: TaskSpec): Manifest {
  const { network } = parts;
  const pod = { ...podOf(parts, spec, containerOf(network, spec, 'task')), restartPolicy: 'OnFailure' };
  return {
    ...headOf(network, 'batch/v1', 'Job', spec.name, spec.name),
    spec: {
      // Retried until chain and nodes answer, and removed afterwards so that it can be applied again.
      backoffLimit: jobRetries,
      ttlSecondsAfterFinished: jobKeptSeconds,
      template: { metadata: { labels: labelsOf(network, spec.name) }, spec: pod },
    },
  };
}

const confined = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };

function containerOf(network: ExportedNetwork, spec: ServiceSpec | TaskSpec, kind: string): Values {
  const [requested = '', most = ''] = limits[kind] ?? [];
  const file = `${root}/config/${spec.name}.json`;
  const program = `${programsInImage}/${spec.kind}.js`;
  return {
    name: spec.name,
    image: network.image,
    command: ['node', program, ...(spec.type === 'task' ? [spec.name] : []), file],
    resources: { requests: { cpu: '100m', memory: requested }, limits: { memory: most } },
    securityContext: confined,
    volumeMounts: mountsOf(network, spec),
  };
}

function mountsOf(network: ExportedNetwork, spec: ServiceSpec | TaskSpec): Values[] {
  const { name, kind } = spec;
  const isNode = kind === 'node';
  const data = isNode ? `${root}/data/nodes/${name}` : `${root}/data/${name}`;
  const hasKeys = pathsFor(network, spec).length > 0;
  return [
    { name: 'config', mountPath: `${root}/config/${name}.json`, subPath: `${name}.json`, readOnly: true },
    { name: 'tmp', mountPath: '/tmp' },
    ...(hasKeys ? [{ name: 'keys', mountPath: network.inside.keys }] : []),
    ...(spec.type === 'service' ? [{ name: 'data', mountPath: data, subPath: 'data' }] : []),
    ...(isNode ? [{ name: 'data', mountPath: wallet, subPath: 'wallet' }] : []),
    ...(isNode
      ? [{ name: 'config', mountPath: network.inside.contracts, subPath: 'contracts-known.json', readOnly: true }]
      : []),
    ...(name === 'contracts' ? [{ name: 'network', mountPath: `${root}/network` }] : []),
  ];
}

function podOf({ network, contracts }: ClusterParts, spec: ServiceSpec | TaskSpec, container: Values): Values {
  const paths = pathsFor(network, spec);
  const { image } = network;
  const keys = { name: 'keys', mountPath: network.inside.keys };
  const ofWallet = mountsOf(network, spec).filter(({ subPath }) => subPath === 'wallet');
  const resources = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } };
  const first = { image, resources, securityContext: confined };
  // Programs read secrets only from files of their own user; the files of a Secret belong to root.
  const copy = {
    name: 'keys',
    ...first,
    command: ['node', '-e', copyProgram(network.inside.keys, wallet), ...paths],
    volumeMounts: [{ name: 'secrets', mountPath: '/secrets', readOnly: true }, keys, ...ofWallet],
  };
  const token = paths.includes('chain/token') ? `${network.inside.keys}/chain/token` : undefined;
  const url = `http://chain:${network.ports.chain}`;
  const wait = {
    name: 'contracts',
    ...first,
    command: ['node', '-e', waitProgram(url, contracts.network.address, token)],
    volumeMounts: token === undefined ? [] : [keys],
  };
  const hasKeys = paths.length > 0;
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 15,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: userId,
      runAsGroup: userId,
      fsGroup: userId,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    initContainers: [...(hasKeys ? [copy] : []), ...(spec.kind === 'node' ? [wait] : [])],
    containers: [container],
    volumes: [
      { name: 'config', configMap: { name: 'config' } },
      { name: 'tmp', emptyDir: {} },
      ...(hasKeys ? keyVolumes(spec.name, paths) : []),
      ...(spec.name === 'contracts' ? [{ name: 'network', emptyDir: {} }] : []),
    ],
  };
}

function keyVolumes(service: string, paths: readonly string[]): Values[] {
  const items = paths.map((path) => ({ key: keyOf(path), path }));
  return [
    { name: 'secrets', secret: { secretName: secretName(service), items, defaultMode: 0o440 } },
    { name: 'keys', emptyDir: { medium: 'Memory' } },
  ];
}

/** Only pods of the network may call chain, store and peers; every pod of the namespace may call the nodes' APIs. */
function policies(network: ExportedNetwork): Manifest[] {
  const own = { from: [{ podSelector: { matchLabels: labelsOf(network) } }] };
  return network.services.map((spec) => {
    const [http] = portsFor(network, spec);
    const isNode = spec.kind === 'node';
    const ofNamespace = { from: [{ podSelector: {} }], ports: [{ protocol: 'TCP', port: http?.port }] };
    return {
      ...headOf(network, 'networking.k8s.io/v1', 'NetworkPolicy', spec.name, spec.name),
      spec: {
        podSelector: { matchLabels: labelsOf(network, spec.name) },
        policyTypes: isNode ? ['Ingress'] : ['Ingress', 'Egress'],
        ingress: [own, ...(isNode ? [ofNamespace] : [])],
        ...(!isNode && { egress: [] }),
      },
    };
  });
}

function pathsFor({ secrets, inside }: ExportedNetwork, { name, config }: ServiceSpec | TaskSpec): string[] {
  return secretsOf(name, secrets, inside, config.value);
}

function secretName(service: string): string {
  return `${service}-keys`;
}

/** Keys of a Secret have no slashes. */
function keyOf(path: string): string {
  return path.replaceAll('/', '.');
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function objectOf(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(entries);
}
