import { App } from 'antd'
import { useCallback } from 'react'
import { say, type Said } from './said.ts'

/** Says that something was done: with its way back in the bar at the foot, else as a short message. */
export function useSaid(): (said: Said) => void {
  const { message } = App.useApp()
  return useCallback((said) => {
    if (said.undo !== undefined || said.instead) say(said)
    else void message.success(said.words)
  }, [message])
}
