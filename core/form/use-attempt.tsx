import { App } from 'antd'
import { useState } from 'react'

/**
 * Runs what may fail, one after another: its reason is said in words, and buttons know that it runs.
 * @returns whether something runs, and `attempt`, which never rejects
 */
export function useAttempt(): { busy: boolean; attempt: (work: () => Promise<void>) => Promise<void> } {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '操作失败', 5)
    } finally {
      setBusy(false)
    }
  }
  return { busy, attempt }
}
