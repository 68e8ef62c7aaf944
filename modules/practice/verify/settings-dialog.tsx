import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, InputNumber, Modal, Select, Skeleton, Space, Switch } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { validated } from '../../../core/form/validated.tsx'
import { readVerifySettings, saveVerifySettings, type SampleTier, type VerifySettings } from './settings.ts'

/** Percentages as people type them; stored as shares. */
interface Typed {
  needs_analysis: boolean
  banned: string[]
  duplicate_percent: number
  tiers: { pass_percent: number; checked: number; percent: number }[]
  blind_second: boolean
}

const typedOf = ({ needs_analysis, banned, duplicate_from, tiers, blind_second }: VerifySettings): Typed => ({
  needs_analysis, banned, blind_second, duplicate_percent: Math.round(duplicate_from * 100), tiers: tiers.map(({ first_pass, checked, percent }) => ({ pass_percent: Math.round(first_pass * 100), checked, percent })),
})
const settingsOf = ({ needs_analysis, banned, duplicate_percent, tiers, blind_second }: Typed): VerifySettings => ({
  needs_analysis, banned, blind_second, duplicate_from: duplicate_percent / 100, tiers: tiers.map(({ pass_percent, checked, percent }): SampleTier => ({ first_pass: pass_percent / 100, checked, percent })),
})

const needed = [{ required: true, message: '请填写' }]

function SettingsForm({ settings, onClose }: { settings: VerifySettings; onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [form] = Form.useForm<Typed>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const save = async () => {
    const typed = await validated(form)
    if (!typed) return
    setBusy(true)
    setRefused(undefined)
    try {
      const saved = await call(saveVerifySettings, settingsOf(typed), { keepEmpty: true, quiet: true })
      client.setQueryData(['verify-settings'], saved)
      void client.invalidateQueries({ queryKey: ['score-cards'] })
      void message.success('已保存')
      onClose()
    } catch (error) {
      setRefused(error instanceof CallError ? error.message : '保存失败，请重试')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form form={form} layout="vertical" initialValues={typedOf(settings)} onFinish={() => void save()}>
      {refused && <Alert type="error" showIcon title={refused} className="form-alert" />}
      <Form.Item name="needs_analysis" label="没有解析的试题不能提交校对" valuePropName="checked"><Switch /></Form.Item>
      <Form.Item name="duplicate_percent" label="相似度达到多少视为重复，不能提交" rules={needed}><InputNumber min={80} max={100} precision={0} suffix="%" /></Form.Item>
      <Form.Item name="banned" label="禁用词" extra="含有这些词的试题不能提交校对"><Select mode="tags" placeholder="输入后回车" maxCount={500} open={false} suffixIcon={null} /></Form.Item>
      <Form.Item name="blind_second" label="双盲二校" extra="二校前不显示录入人、一校人和一校意见" valuePropName="checked"><Switch /></Form.Item>
      <Form.Item label="二校抽检" extra="从上到下取第一个符合的档次；都不符合的全部二校">
        <Form.List name="tiers">
          {(rows, { add, remove }) => (
            <Space orientation="vertical" className="wide">
              {rows.map((row, index) => (
                <Space key={row.key} wrap className="verify-tier">
                  一次通过率 ≥<Form.Item noStyle name={[row.name, 'pass_percent']} rules={needed}><InputNumber aria-label={`第 ${index + 1} 档一次通过率`} min={0} max={100} precision={0} suffix="%" /></Form.Item>
                  且已校 ≥<Form.Item noStyle name={[row.name, 'checked']} rules={needed}><InputNumber aria-label={`第 ${index + 1} 档已校题数`} min={10} max={100_000} precision={0} suffix="道" /></Form.Item>
                  抽检<Form.Item noStyle name={[row.name, 'percent']} rules={needed}><InputNumber aria-label={`第 ${index + 1} 档抽检率`} min={5} max={100} precision={0} suffix="%" /></Form.Item>
                  <Button size="small" type="text" danger aria-label={`删除第 ${index + 1} 档`} onClick={() => remove(row.name)}>删除</Button>
                </Space>
              ))}
              {rows.length < 10 && <Button size="small" onClick={() => add({ pass_percent: 95, checked: 100, percent: 30 })}>添加档次</Button>}
            </Space>
          )}
        </Form.List>
      </Form.Item>
      <Space><Button type="primary" htmlType="submit" loading={busy}>保存</Button><Button onClick={onClose}>取消</Button></Space>
    </Form>
  )
}

/** What questions must have before somebody reads them, and how many are read twice (domain 3.5). */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['verify-settings'], queryFn: ({ signal }) => call(readVerifySettings, undefined, { signal, quiet: true }), refetchOnMount: 'always' })
  return (
    <Modal open title="校对设置" width={640} footer={null} onCancel={onClose} destroyOnHidden>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : data ? <SettingsForm settings={data} onClose={onClose} /> : <Skeleton active />}
    </Modal>
  )
}
