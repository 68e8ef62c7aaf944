import { Alert, Button, Modal, Progress, Table } from 'antd'
import { useRef, useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { BulkProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { resetPassword } from './grants.ts'
import { STAFF_RIGHTS, STAFF_STATUS, staff } from './staff.ts'

/** People who get a password in one go: each is made by a call of its own, and somebody has to pass them all on. */
const MOST = 200

interface Made {
  id: number
  account: string
  name: string
  /** The password, or why there is none. */
  password?: string
  problem?: string
}

/** 生成初始密码, for people who came by a sheet: those who work here and have never logged in. Made as a single one is, and shown once. */
export function FirstPasswordsButton({ selected, query, many, onDone }: BulkProps) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(STAFF_RIGHTS.id('resetPassword'))) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>生成初始密码</Button>
      {open && <FirstPasswords selected={selected} {...(query && { query })} many={many} onClose={(done) => { setOpen(false); if (done) onDone() }} />}
    </>
  )
}

function FirstPasswords({ selected, query, many, onClose }: Pick<BulkProps, 'selected' | 'query' | 'many'> & { onClose: (done: boolean) => void }) {
  const [made, setMade] = useState<Made[]>([])
  const [busy, setBusy] = useState<{ done: number; all: number }>()
  const [problem, setProblem] = useState<string>()
  const [skipped, setSkipped] = useState<number>()
  const [copied, setCopied] = useState(false)
  const stopped = useRef(false)
  const passwords = made.filter(({ password }) => password !== undefined)
  const close = useCloseGuard(passwords.length > 0 && !copied, '员工的初始密码', () => { stopped.current = true; onClose(made.length > 0) }, {
    title: '密码还没有复制', content: '关闭后无法再次查看，只能重新生成。', okText: '仍要关闭', cancelText: '返回复制',
  })
  const run = async () => {
    setProblem(undefined)
    setBusy({ done: 0, all: 0 })
    try {
      const { items, total } = await request<{ items: WireRow<typeof staff>[]; total: number }>('GET', staff.api.list, { ...(query ?? { ids: selected }), page_size: MOST }, { quiet: true })
      if (total > MOST) return setProblem(`一次最多 ${MOST} 人，请缩小范围`)
      const people = items.filter((row) => row.status === STAFF_STATUS.working && row.last_login_at === null)
      setSkipped(items.length - people.length)
      for (const [index, { id, account, name }] of people.entries()) {
        if (stopped.current) return
        const one = { id, account: String(account), name: String(name) }
        const answer = await call(resetPassword, undefined, { params: { id }, quiet: true }).then(({ password }) => ({ password }), (error: unknown) => ({ problem: error instanceof Error ? error.message : '生成失败' }))
        setMade((before) => [...before, { ...one, ...answer }])
        setBusy({ done: index + 1, all: people.length })
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '生成失败')
    } finally {
      setBusy(undefined)
    }
  }
  const began = skipped !== undefined
  return (
    <Modal open title={`生成初始密码：${many}`} width={640} mask={{ closable: false }} onCancel={close} footer={(
      <>
        <Button onClick={close}>关闭</Button>
        {!began && <Button type="primary" loading={busy !== undefined} onClick={() => void run()}>生成</Button>}
        {passwords.length > 0 && !busy && (
          <CopyButton type="primary" label="复制全部" text={passwords.map(({ account, name, password }) => `${name}\t${account}\t${password}`).join('\n')} onCopied={() => setCopied(true)} />
        )}
      </>
    )}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {!began && <p>只为在职且从未登录的员工生成。已有的初始密码随之失效；新密码只显示这一次，24 小时内有效，只能登录一次，登录后须修改。</p>}
      {busy && busy.all > 0 && <Progress percent={Math.round((busy.done / busy.all) * 100)} size="small" />}
      {began && (
        <>
          <Alert className="form-alert" type="warning" showIcon title={`密码只显示这一次，请立即交给本人。${skipped > 0 ? `${skipped} 人已登录过或不在职，没有生成。` : ''}`} />
          <Table<Made> size="small" rowKey="id" dataSource={made} pagination={false} scroll={{ y: 360 }} locale={{ emptyText: '没有需要初始密码的员工' }} columns={[
            { key: 'name', title: '姓名', dataIndex: 'name' }, { key: 'account', title: '账号', dataIndex: 'account' },
            { key: 'password', title: '密码', render: (_value, row) => (row.password ? <code>{row.password}</code> : <span className="problem">{row.problem}</span>) },
          ]} />
        </>
      )}
    </Modal>
  )
}
