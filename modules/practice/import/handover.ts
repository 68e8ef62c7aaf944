/** What other modules do with the questions of an imported file, in the browser. */
import type { ComponentType } from 'react'
import type { ImportBatch } from './calls.ts'

export interface HandoverProps {
  batch: ImportBatch
  /** The questions of the batch have changed. */
  onChanged: () => void
}

type Load = () => Promise<{ default: ComponentType<HandoverProps> }>

const loads: Load[] = []
/** Each is shown below the preview of an import. */
export const importHandovers: readonly Load[] = loads

/** Adds something to do with an imported file; called once by a module's browser half. */
export function addImportHandover(load: Load): void {
  loads.push(load)
}
