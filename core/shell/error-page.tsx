import { Button } from 'antd'
import { useEffect, useRef, type MouseEventHandler } from 'react'
import { useHref, useLinkClickHandler, useLocation, useNavigate } from 'react-router'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  code: 404 | 401
  /** Screen at this address that the person may not open. */
  denied?: string | undefined
}

/** Whether the browser has a page of ours to go back to. */
const hasPast = () => Number((window.history.state as { idx?: number } | null)?.idx ?? 0) > 0

/** 404 and 401: says what was asked for, which module would open it, and leads back or home (shell.md 132, 133). */
export function ErrorPage({ code, denied }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const homeHref = useHref('/')
  const goHome = useLinkClickHandler<HTMLElement>('/')
  const page = useRef<HTMLDivElement>(null)
  const home = new URLSearchParams(search).has('noGoBack') || !hasPast()
  // A person who does not see the page hears what has happened.
  useEffect(() => page.current?.focus({ preventScroll: true }), [])
  const address = <code className="asked">{pathname}</code>
  const words = code === 401 ? '您没有访问该页面的权限' : <>找不到该页面：{address}</>
  return (
    <div ref={page} className="error-page" tabIndex={-1}>
      <Outcome title={String(code)} actions={<>{!home && <Button onClick={() => void navigate(-1)}>返回上一页</Button>}<Button type="primary" href={homeHref} onClick={goHome as MouseEventHandler<HTMLElement>}>回到首页</Button></>}>
        {denied ? <>页面「{denied}」未对您开放，请联系管理员开通「{denied}」模块<br />{address}</> : words}
      </Outcome>
    </div>
  )
}
