import { useState } from 'react'
import { CallError } from '../../core/endpoint/wire.ts'

/** Runs a dialog's call: busy while it runs, its sentence when it fails; what it says of single fields goes to `onFields`. */
export function useCall(onFields?: (fields: Readonly<Record<string, string>>) => void): {
  busy: boolean
  problem: string | undefined
  run: (work: () => Promise<unknown>) => Promise<boolean>
  say: (problem: string | undefined) => void
} {
  const [busy, setBusy] = useState(false)
  const [problem, say] = useState<string>()
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    say(undefined)
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      say(error.message)
      onFields?.(error.fields)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, run, say }
}
