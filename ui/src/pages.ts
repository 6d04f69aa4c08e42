import type { IconName } from './components/icon.js';
import { type OnDemand, onDemand } from './components/page/on-demand.js';

/** A page of the explorer, from the folder `pages/<name>/` (see ui/README.md). */
export interface PageModule {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that opens it after `g`. */
  readonly key: string;
  readonly page: OnDemand;
}

/** All pages, in the order of the navigation. */
export const pages: readonly PageModule[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'overview',
    key: 'o',
    page: onDemand(async () => (await import('./pages/overview/overview-page.js')).OverviewPage),
  },
  {
    name: 'events',
    title: 'Events',
    icon: 'events',
    key: 'e',
    page: onDemand(async () => (await import('./pages/events/events-page.js')).EventsPage),
  },
  {
    name: 'messages',
    title: 'Messages',
    icon: 'messages',
    key: 'm',
    page: onDemand(async () => (await import('./pages/messages/messages-page.js')).MessagesPage),
  },
  {
    name: 'compose',
    title: 'Compose',
    icon: 'compose',
    key: 'c',
    page: onDemand(async () => (await import('./pages/compose/compose-page.js')).ComposePage),
  },
  {
    name: 'data',
    title: 'Data',
    icon: 'data',
    key: 'd',
    page: onDemand(async () => (await import('./pages/data/data-page.js')).DataPage),
  },
  {
    name: 'datatypes',
    title: 'Datatypes',
    icon: 'datatypes',
    key: 'y',
    page: onDemand(async () => (await import('./pages/datatypes/datatypes-page.js')).DatatypesPage),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    icon: 'tokens',
    key: 't',
    page: onDemand(async () => (await import('./pages/tokens/tokens-page.js')).TokensPage),
  },
  {
    name: 'contracts',
    title: 'Contracts',
    icon: 'contracts',
    key: 'k',
    page: onDemand(async () => (await import('./pages/contracts/contracts-page.js')).ContractsPage),
  },
  {
    name: 'subscriptions',
    title: 'Subscriptions',
    icon: 'subscriptions',
    key: 's',
    page: onDemand(async () => (await import('./pages/subscriptions/subscriptions-page.js')).SubscriptionsPage),
  },
  {
    name: 'network',
    title: 'Network',
    icon: 'network',
    key: 'n',
    page: onDemand(async () => (await import('./pages/network/network-page.js')).NetworkPage),
  },
  {
    name: 'groups',
    title: 'Groups',
    icon: 'groups',
    key: 'p',
    page: onDemand(async () => (await import('./pages/groups/groups-page.js')).GroupsPage),
  },
  {
    name: 'flow',
    title: 'Flow',
    icon: 'flow',
    key: 'w',
    page: onDemand(async () => (await import('./pages/flow/flow-page.js')).FlowPage),
  },
  {
    name: 'topics',
    title: 'Topics',
    icon: 'topics',
    key: 'i',
    page: onDemand(async () => (await import('./pages/topics/topics-page.js')).TopicsPage),
  },
];
