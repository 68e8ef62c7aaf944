import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, Skeleton, Space, type InputRef } from 'antd'
import { useRef, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { formatTime } from '../field/time.ts'
import { loginOptions } from '../session/calls.ts'
import { deviceName } from './device.ts'
import { ownPasskeys, removePasskey, renamePasskey, type Passkey } from '../session/passkey.ts'
import { makePasskey, passkeyWords, supportsPasskeys } from './passkeys.tsx'

/** Asks for a passkey's name: before it is made, or to change it. */
function NameDialog({ title, name, okText, save, onClose }: { title: string; name: string; okText: string; save: (name: string) => Promise<void>; onClose: () => void }) {
  const [form] = Form.useForm<{ name: string }>()
  const input = useRef<InputRef>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (fields: { name: string }) => {
    setBusy(true)
    try {
      await save(fields.name.trim())
      onClose()
    } catch (error) {
      const sentence = error instanceof CallError ? error.fields['name'] ?? error.message : passkeyWords(error)
      form.setFields([{ name: 'name', errors: [sentence] }])
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={title} okText={okText} confirmLoading={busy} onOk={() => form.submit()} onCancel={onClose} afterOpenChange={(open) => { if (open) input.current?.focus({ cursor: 'all' }) }}>
      <Form form={form} layout="vertical" requiredMark={false} initialValues={{ name }} onFinish={(fields) => void submit(fields)}>
        <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]} extra="用来区分不同的设备，如「办公室电脑」">
          <Input ref={input} maxLength={30} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** The person's passkeys. */
export function PasskeyCard() {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const [adding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey>()
  const { data, error, refetch } = useQuery({ queryKey: ['passkeys'], staleTime: 0, queryFn: ({ signal }) => call(ownPasskeys, undefined, { signal, quiet: true }) })
  const { data: options } = useQuery({ queryKey: ['login-options'], queryFn: ({ signal }) => call(loginOptions, undefined, { signal, quiet: true }), staleTime: Infinity })
  const again = () => {
    for (const key of ['passkeys', 'own-sessions']) void client.invalidateQueries({ queryKey: [key] })
  }
  const remove = (passkey: Passkey) => modal.confirm({
    title: `删除通行密钥「${passkey.name}」？`, content: '删除后不能再用它登录。设备中保存的密钥请在设备的密码设置里删除。', okText: '删除', okButtonProps: { danger: true },
    onOk: async () => {
      // The shell says what went wrong.
      const done = await call(removePasskey, undefined, { params: { id: passkey.id } }).catch(() => undefined)
      if (done) void message.success('已删除')
      again()
    },
  })
  const possible = options?.passkey === true && supportsPasskeys()
  return (
    <section className="account-card" aria-labelledby="account-passkeys">
      <h2 id="account-passkeys">通行密钥{possible && <Button size="small" type="primary" onClick={() => setAdding(true)}>添加</Button>}</h2>
      <p>用指纹、面容或设备密码登录，不需要输入账号和密码，也不会被钓鱼网站骗取。</p>
      {options && !possible && <Alert className="form-alert" type="info" showIcon title={options.passkey ? '当前浏览器不支持通行密钥。' : '通行密钥需要通过 HTTPS 域名访问后台，当前网址不能使用。'} />}
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 1 }} />}
      {data?.items.length === 0 && <p>还没有通行密钥。</p>}
      <ul className="account-list">
        {data?.items.map((passkey) => (
          <li key={passkey.id}>
            <span className="what">{passkey.name}<small>添加于 {formatTime(passkey.created_at).slice(0, 16)}　{passkey.used_at ? `最近使用 ${formatTime(passkey.used_at).slice(0, 16)}` : '还没有使用过'}</small></span>
            <Space>
              <Button size="small" aria-label={`重命名${passkey.name}`} onClick={() => setRenamed(passkey)}>重命名</Button>
              <Button size="small" danger aria-label={`删除${passkey.name}`} onClick={() => remove(passkey)}>删除</Button>
            </Space>
          </li>
        ))}
      </ul>
      {adding && (
        <NameDialog title="添加通行密钥" okText="下一步" name={deviceName(navigator.userAgent)} onClose={() => setAdding(false)}
          save={async (name) => { await makePasskey(name); void message.success('通行密钥已添加，下次可以用它登录'); again() }} />
      )}
      {renamed && (
        <NameDialog title="重命名通行密钥" okText="保存" name={renamed.name} onClose={() => setRenamed(undefined)}
          save={async (name) => { await call(renamePasskey, { name }, { params: { id: renamed.id }, quiet: true }); again() }} />
      )}
    </section>
  )
}
