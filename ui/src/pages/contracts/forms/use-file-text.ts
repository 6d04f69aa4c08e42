import { useState } from 'react';

const maxBytes = 32 * 1024 * 1024;

export interface FileText {
  readonly name: string;
  readonly text: string;
}

/** A file that was chosen, as text. */
export function useFileText() {
  const [file, setFile] = useState<FileText | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const choose = async (chosen: File | undefined) => {
    setFile(undefined);
    setProblem(undefined);
    if (chosen === undefined) return;
    if (chosen.size > maxBytes) return setProblem('It has more than 32 MB: choose the output of one contract.');
    try {
      setFile({ name: chosen.name, text: await chosen.text() });
    } catch {
      setProblem('It cannot be read: choose it again.');
    }
  };
  return { file, problem, choose };
}
