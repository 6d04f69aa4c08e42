interface StepState {
  readonly isDone: boolean;
  readonly isNext: boolean;
  /** Whether the message was cancelled, so that no further step follows. */
  readonly isCancelled: boolean;
}

/** The icon of a step in the progress of a message. */
export function stepIcon({ isDone, isNext, isCancelled }: StepState) {
  if (isDone) return 'check';
  if (isCancelled) return 'cancelled';
  return isNext ? 'waiting' : 'staged';
}
