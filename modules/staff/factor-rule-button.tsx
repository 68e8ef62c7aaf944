import { SafetyCertificateOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Modal, Radio, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { FACTOR_RULES, type FactorRule } from '../../core/session/factor-rule.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { getFactorRule, putFactorRule } from './grants.ts'
import { ReadFailed } from './read-failed.tsx'
import { STAFF_RIGHTS } from './staff.ts'

const KEY = ['factor-rule']

function FactorRuleDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(getFactorRule, undefined, { signal, quiet: true }), staleTime: 0, gcTime: 0 })
  const [chosen, setChosen] = useState<FactorRule>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const rule = chosen ?? data?.rule
  const changed = data !== undefined && rule !== undefined && rule !== data.rule
  const save = async () => {
    if (!rule) return
    setBusy(true)
    setProblem(undefined)
    try {
      client.setQueryData(KEY, await call(putFactorRule, { rule }, { quiet: true }))
      void message.success('两步验证要求已修改，立即生效')
      // It may hold for the person who has just decided it.
      void client.invalidateQueries({ queryKey: ['staff'] })
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title="两步验证要求" okText="保存" okButtonProps={{ disabled: !changed }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {error && <ReadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 2 }} />}
      {data && (
        <>
          <p>下列员工登录时必须使用两步验证。还没有设置的，下一次操作前须先完成设置。</p>
          <Radio.Group vertical value={rule} onChange={(event) => setChosen(event.target.value as FactorRule)}
            options={FACTOR_RULES.map(({ value, label }) => ({ value, label: value === 'super' ? `${label}，以及单独指定的员工` : label, disabled: value === 'chosen' && data.least !== 'chosen' }))} />
          {data.least !== 'chosen' && <p className="scope-note">本系统通过 HTTPS 对外提供服务，超级管理员必须使用两步验证。</p>}
        </>
      )}
    </Modal>
  )
}

/** 两步验证要求: of whom a second factor is asked, beside those who are chosen one by one. */
export function FactorRuleButton() {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(STAFF_RIGHTS.id('factorRule'))) return null
  return (
    <>
      <Button icon={<SafetyCertificateOutlined />} onClick={() => setOpen(true)}>两步验证要求</Button>
      {open && <FactorRuleDialog onClose={() => setOpen(false)} />}
    </>
  )
}
