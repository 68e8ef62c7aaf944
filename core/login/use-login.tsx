import { App } from 'antd'
import { useRef, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { login, type LoggedIn, type LoginStep, type StaffInfo } from '../session/calls.ts'
import { solveCaptcha } from './captcha.tsx'
import { loginByPasskey, passkeyWords } from './passkeys.tsx'

/** What a login is busy with. */
export type LoginBusy = 'login' | 'captcha' | 'passkey' | undefined

interface Login {
  readonly busy: LoginBusy
  /** Names an attempt that still needs a code of the second factor. */
  readonly ticket: string | undefined
  readonly forgetTicket: () => void
  /** @param account is sent trimmed, `pwd` as it was typed (spec 5) @returns whether the server took them */
  readonly byPassword: (account: string, pwd: string) => Promise<boolean>
  readonly byPasskey: () => Promise<boolean>
}

/** One attempt at a time to log in; what goes wrong is said once. `onDone` is given the person who is logged in. */
export function useLogin(onDone: (staff: StaffInfo) => void): Login {
  const { message } = App.useApp()
  const [busy, setBusy] = useState<LoginBusy>()
  const [ticket, setTicket] = useState<string>()
  const sending = useRef(false)

  const attempt = async (what: Exclude<LoginBusy, undefined>, work: () => Promise<LoggedIn | LoginStep>, words: (error: unknown) => string) => {
    if (sending.current) return false
    sending.current = true
    setBusy(what)
    try {
      const answer = await work()
      message.destroy('login')
      if ('ticket' in answer) setTicket(answer.ticket)
      else onDone(answer.staff)
      return true
    } catch (error) {
      const sentence = words(error)
      // One at a time: the next failure takes the place of the last.
      if (sentence) void message.error({ content: sentence, duration: 5, key: 'login' })
      return false
    } finally {
      sending.current = false
      setBusy(undefined)
    }
  }
  return {
    busy,
    ticket,
    forgetTicket: () => setTicket(undefined),
    byPassword: (account, pwd) => attempt('login', async () => {
      try {
        return await call(login, { account: account.trim(), pwd }, { quiet: true })
      } catch (error) {
        if (!(error instanceof CallError) || error.body['captcha'] !== true) throw error
        setBusy('captcha')
        return await call(login, { account: account.trim(), pwd, captcha: await solveCaptcha() }, { quiet: true })
      }
    }, (error) => (error instanceof Error ? error.message : '登录失败')),
    byPasskey: () => attempt('passkey', loginByPasskey, passkeyWords),
  }
}
