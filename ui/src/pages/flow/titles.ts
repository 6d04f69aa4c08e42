import type { ProgressStep } from '../../../../src/wire/messages/progress.js';

export const shortTitles: Readonly<Record<ProgressStep, string>> = {
  accepted: 'Accepted',
  sealed: 'Sealed',
  stored: 'Stored',
  delivered: 'Delivered',
  pinned: 'Pinned',
  batch: 'Batch here',
  data: 'Data here',
  next: 'Its turn',
  decided: 'Decided',
};
