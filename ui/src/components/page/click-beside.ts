import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';

/**
 * The listeners that close a window when somebody clicks beside it. A press that began within it, such as one that
 * selects text, may end beside it and is no such click.
 */
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
