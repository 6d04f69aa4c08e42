import type { Identity } from '../../supervisor/machine/identity.js';
import type { SettingChange } from '../definition/changes.js';
import type { SilenceListener } from '../cleaning/stale.js';
import type { Control } from '../control/control.js';
import type { FundsListener } from '../engines/external-chain.js';
import type { LockHolder } from '../places/lock.js';
import type { ProgressListener } from './readiness.js';

export const defaultStartMs = 60_000;

export interface StartOptions {
  /** Limit until the stack is ready, restarted whenever a service reports progress; 0 = no limit. Default: 60 s. */
  readonly timeoutMs?: number;
  /** False: resolve once the supervisor runs, without waiting for the services. */
  readonly wait?: boolean;
  /** Send a message that must be confirmed everywhere. Default: at the first start. */
  readonly smoke?: boolean;
  readonly reassignPorts?: boolean;
  /** The address of the nodes' APIs for this start, instead of `bind`. */
  readonly host?: string | undefined;
  /** Parties whose nodes the user runs, for example in a debugger. */
  readonly external?: readonly string[];
  /** The owner process of a temporary stack, and a function called as soon as the supervisor runs. */
  readonly owner?: { readonly identity: Identity; readonly take: (control: Control) => Promise<void> };
  /** Bring databases of an older form to this version's. Default: refuse them. */
  readonly mayMigrate?: boolean;
  /** Called before the supervisor of a stopped stack gets its plan, which it may carry out without this process. */
  readonly onLaunch?: () => void;
  /** Called with the state of each service and task after every change. */
  readonly onProgress?: ProgressListener;
  /** Called once if another command holds the stack's lock; another start is waited for up to this one's limit. */
  readonly onWait?: (holder: LockHolder) => void;
  readonly onSilent?: SilenceListener;
  /** Start and wait for only these services of a running stack; default: all. */
  readonly only?: readonly string[];
  /** Called while keys lack funds on a chain that others run, with the amounts to send. */
  readonly onFunds?: FundsListener;
  /** Called before a changed definition is applied, for which a running stack is restarted. */
  readonly onChanges?: (changes: readonly SettingChange[], stack: { readonly isRunning: boolean }) => Promise<void>;
}
