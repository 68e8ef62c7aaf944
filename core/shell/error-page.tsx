import { Button, Result, Space } from 'antd'
import { useLocation, useNavigate } from 'react-router'

/** 404 and 401: says what was asked for, which module would open it, and leads home. */
export function ErrorPage({ code, title }: { code: 404 | 401; title?: string | undefined }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const words = code === 401 ? '您没有访问该页面的权限' : '找不到该页面'
  return (
    <Result status={code === 401 ? '403' : '404'} title={String(code)}
      subTitle={title ? <>页面「{title}」未对您开放，请联系管理员开通「{title}」模块</> : <>{words}：<code>{pathname}</code></>}
      extra={<Space><Button onClick={() => void navigate(-1)}>返回上一页</Button><Button type="primary" onClick={() => void navigate('/')}>回到首页</Button></Space>} />
  )
}
