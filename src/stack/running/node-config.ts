import { databaseForm } from '../../ports/database-form.js';
import type { LaterParty } from '../../wire/later-parties.js';
import type { Genesis } from '../keys/accounts.js';
import {
  allowsFaults,
  calledHost,
  hasOwnNetwork,
  hasStackView,
  hostsOf,
  hostWithin,
  innerHostsOf,
  inUrl,
  nodeHost,
  nodeName,
  peerHost,
  serviceHost,
} from '../ports/bind.js';
import { definedMining } from '../engines/chain.js';
import { databaseOwner } from '../engines/external-database.js';
import type { PartySettings, StackSettings } from '../definition/definition.js';
import { certificateFiles, signingKeyFile } from '../keys/keys.js';
import { type Layout, nodeData } from '../layout.js';
import type { Ports } from '../ports/ports.js';
import { credentialsFile, serviceTokenFile } from '../keys/tokens.js';
import { walletDirectory } from '../keys/wallet-files.js';

export function chainConfig(
  layout: Layout,
  settings: StackSettings,
  genesis: Genesis,
  ports: Ports | undefined,
): object {
  return {
    host: serviceHost(settings),
    trustedNetwork: settings.trustedNetwork || hasOwnNetwork(settings),
    port: portOf('chain', ports?.chain),
    dataDirectory: layout.chainData,
    logLevel: settings.logs.level,
    ...genesis,
    mining: definedMining(settings),
    hosts: innerHostsOf(settings, 'chain'),
    origins: settings.chain.cors.origins,
    allowRevert: settings.chain.allowRevert,
    tokenFile: serviceTokenFile(layout, settings, 'chain'),
  };
}

export function storeConfig(layout: Layout, settings: StackSettings, ports: Ports | undefined): unknown {
  return {
    host: serviceHost(settings),
    trustedNetwork: settings.trustedNetwork || hasOwnNetwork(settings),
    port: portOf('store', ports?.store),
    dataDirectory: layout.storeData,
    logLevel: settings.logs.level,
    minFreeBytes: settings.limits.minFreeDisk,
    hosts: innerHostsOf(settings, 'store'),
    origins: settings.store.cors.origins,
    tokenFile: serviceTokenFile(layout, settings, 'store'),
  };
}

export function nodeConfig(
  layout: Layout,
  settings: StackSettings,
  party: PartySettings,
  ports: Ports | undefined,
): unknown {
  const { maxBlobBytes, maxUnpinnedBytes, ...limits } = settings.limits;
  return {
    version: 1,
    organization: party.organization,
    node: party.node,
    ...(settings.profile !== null && { profile: settings.profile }),
    host: nodeHost(settings),
    trustedNetwork: hasOwnNetwork(settings),
    ...(party.tls && tlsConfig(settings, party, ports)),
    port: portOf(party.name, ports?.parties[party.name]),
    dataDirectory: nodeData(layout, party.name),
    keyFile: signingKeyFile(layout, party.name),
    walletDirectory: walletDirectory(layout, party.name),
    // If the system chooses ports, the node tells the registry which one it got.
    peer: {
      host: peerHost(settings),
      port: ports?.peers[party.name] ?? 0,
      ...((settings.advertise !== null || hasOwnNetwork(settings)) && {
        advertise: peerEndpoint(settings, party.name, ports),
      }),
      ...certificateFiles(layout, party.name),
      ...(settings.copy !== '' && { copy: settings.copy }),
    },
    chain: { ...chainOf(layout, settings, ports), contractsFile: layout.contracts },
    store: storeOf(layout, settings, ports),
    tokens: settings.tokens.connectors.map((name) => ({ name })),
    namespaces: settings.namespaces,
    ...(settings.auth.enabled && { auth: { file: credentialsFile(layout, party.name) } }),
    webhooks: { allow: settings.webhooks.allow, closedPorts: portsOf(ports) },
    hosts: hostsOf(settings),
    cors: settings.cors,
    spi: settings.spi,
    // If a newer version is installed while the stack runs, a restarted node must not migrate its database.
    databaseForm,
    ...(party.database !== undefined && {
      postgres: { ...party.database, owner: databaseOwner(settings, party.name) },
    }),
    limits,
    blobs: { maxBlobBytes, maxUnpinnedBytes },
    batch: settings.batch,
    stack: settings.name,
    explorers: explorersOf(settings, ports),
    laterParties: { file: layout.laterParties },
    ...(hasStackView(settings) && { stackView: { socket: layout.viewSocket, service: party.name } }),
    ...(allowsFaults(settings) && { faults: { file: layout.faults } }),
    log: { level: settings.logs.level },
  };
}

/** Without `advertise`, which needs a known port, the node uses the address on which it listens. */
function tlsConfig(settings: StackSettings, { name, tls }: PartySettings, ports: Ports | undefined) {
  const advertise = ports === undefined ? {} : { advertise: publicUrlOf(settings, name, ports.parties[name]) };
  return { tls, ...advertise };
}

function chainOf(layout: Layout, settings: StackSettings, ports: Ports | undefined) {
  const { external } = settings.chain;
  if (external === null) {
    const url = urlWithin(settings, 'chain', ports?.chain);
    const tokenFile = serviceTokenFile(layout, settings, 'chain');
    return { url, ws: url.replace(/^http/, 'ws'), confirmations: 0, fundsKeys: true, tokenFile };
  }
  const { url, ws, confirmations, fees, authFile } = external;
  const credentials = authFile === null ? {} : { tokenFile: authFile };
  return { url, ...(ws !== null && { ws }), confirmations, fees, ...credentials };
}

function storeOf(layout: Layout, settings: StackSettings, ports: Ports | undefined) {
  const { external } = settings.store;
  if (external === null) {
    const url = urlWithin(settings, 'store', ports?.store);
    return { apiUrl: url, gatewayUrl: url, tokenFile: serviceTokenFile(layout, settings, 'store') };
  }
  const { api, gateway, authFile } = external;
  return { apiUrl: api, gatewayUrl: gateway, ...(authFile !== null && { tokenFile: authFile }) };
}

/** The explorers of all parties; empty if the system chooses the ports at the start. */
function explorersOf(settings: StackSettings, ports: Ports | undefined): { name: string; url: string }[] {
  if (ports === undefined) return [];
  return settings.parties.map(({ name }) => ({ name, url: publicUrlOf(settings, name, ports.parties[name]) }));
}

/** The entry of a party for the nodes that started before it; undefined if the system chooses its ports. */
export function laterParty(settings: StackSettings, name: string, ports: Ports | undefined): LaterParty | undefined {
  const [api, peer] = [ports?.parties[name], ports?.peers[name]];
  if (api === undefined || peer === undefined) return undefined;
  return { name, url: publicUrlOf(settings, name, api), ports: [api, peer] };
}

/** The ports of the stack that are known before its start. */
function portsOf(ports: Ports | undefined): number[] {
  if (ports === undefined) return [];
  return [ports.chain, ports.store, ...Object.values(ports.parties), ...Object.values(ports.peers)];
}

/**
 * The address by which this machine calls a service, with a placeholder that the supervisor fills if the system chooses
 * its port.
 */
export function urlOf(settings: StackSettings, service: string, port: number | undefined): string {
  const host = isNode(settings, service) ? nodeHost(settings) : serviceHost(settings);
  return `${schemeOf(settings, service)}://${inUrl(calledHost(host))}:${portOf(service, port)}`;
}

/** The address by which applications and browsers call a service: with TLS it has the name of the certificate. */
export function publicUrlOf(settings: StackSettings, service: string, port: number | undefined): string {
  if (schemeOf(settings, service) === 'http') return urlOf(settings, service, port);
  return `https://${inUrl(nodeName(settings))}:${portOf(service, port)}`;
}

function isNode({ parties }: StackSettings, service: string): boolean {
  return parties.some(({ name }) => name === service);
}

function schemeOf({ parties }: StackSettings, service: string): 'http' | 'https' {
  return parties.find(({ name }) => name === service)?.tls === undefined ? 'http' : 'https';
}

/** The address by which services of the stack call one. */
export function urlWithin(settings: StackSettings, service: string, port: number | undefined): string {
  return `${schemeOf(settings, service)}://${inUrl(hostWithin(settings, service))}:${portOf(service, port)}`;
}

/** The endpoint of a party's node for peers; empty while the system has not chosen the port. */
export function peerEndpoint(settings: StackSettings, party: string, ports: Ports | undefined): string {
  const port = ports?.peers[party];
  return port === undefined ? '' : `https://${inUrl(peerName(settings, party))}:${portOf(party, port)}`;
}

function peerName(settings: StackSettings, party: string): string {
  return settings.advertise ?? (hasOwnNetwork(settings) ? party : peerHost(settings));
}

function portOf(service: string, port: number | undefined): number | string {
  return port ?? `\${${service}.port}`;
}
