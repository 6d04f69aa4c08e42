import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';

/** Listeners that close a dialog on a click outside of it, but not when a drag that began inside ends there. */
export function useClickBeside(dialog: RefObject<HTMLDialogElement | null>) {
  const isBeside = useRef(false);
  return {
    onPointerDown: ({ target }: PointerEvent) => {
      isBeside.current = target === dialog.current;
    },
    onClick: ({ target }: MouseEvent) => {
      if (isBeside.current && target === dialog.current) dialog.current?.close();
    },
  };
}
