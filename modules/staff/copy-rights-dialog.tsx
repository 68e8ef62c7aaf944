import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Checkbox, Modal, Segmented, Skeleton, Table, Tag } from 'antd'
import { useId, useMemo, useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { MultiPicker } from '../../core/field/reference.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { SCOPE_KINDS, type Scopes } from '../../core/grant/grant.ts'
import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useStaff } from '../../core/session/staff-context.tsx'
import { GrantDifference } from './grant-difference.tsx'
import { useGrantTree } from './grant-drawer.tsx'
import { copyTicks, difference, groupIds, type CopyMode, type Difference } from './grant-set.ts'
import { readGrants, writeGrants, type StaffGrants } from './grants.ts'
import { useScopeNames } from './scope-editor.tsx'
import { changedScopes, scopeProblems } from './scopes.ts'
import { SUPER, staff } from './staff.ts'

/** People that one copy may reach: more would be a job, and nobody checks so many differences by eye. */
const MOST = 20

interface Person {
  id: number
  name: string
  role: string
  grants: StaffGrants
}

/** What copying would do to one person. */
interface Plan extends Person {
  next: Set<number>
  scopes: Scopes
  change: Difference
  kinds: ReturnType<typeof changedScopes>
  skipped: number
  refusal: string | undefined
}

async function readPerson(id: number, signal: AbortSignal): Promise<Person> {
  const [row, grants] = await Promise.all([
    request<WireRow<typeof staff>>('GET', `${staff.api.item}/${id}`, {}, { signal, quiet: true }), call(readGrants, undefined, { params: { id }, signal, quiet: true }),
  ])
  return { id, name: row.name, role: row.role, grants }
}

const person = (id: number) => ({ queryKey: ['grants', 'person', id], queryFn: ({ signal }: { signal: AbortSignal }) => readPerson(id, signal), staleTime: 0 })

/** 权限复制: what one person has goes to several colleagues, each of whose differences is shown first. */
export function CopyRightsDialog({ row, reload, onClose }: RowDialogProps<typeof staff>) {
  const { message } = App.useApp()
  const id = useId()
  const me = useStaff()
  const client = useQueryClient()
  const name = row.name
  const tree = useGrantTree()
  const source = useQuery(person(row.id))
  const [targets, setTargets] = useState<number[]>([])
  const [mode, setMode] = useState<CopyMode>('add')
  const [withScopes, setWithScopes] = useState(false)
  const [busy, setBusy] = useState(false)
  const [results, setResults] = useState<ReadonlyMap<number, string>>(new Map())
  const people = useQueries({ queries: targets.map(person) })
  const held = useMemo(() => new Set(me.modules), [me.modules])
  const close = useCloseGuard(targets.length > 0 && results.size === 0, `复制${name}的权限`, onClose)

  const planOf = (one: Person, groups: readonly GrantGroup[], from: StaffGrants): Plan => {
    const before = new Set(one.grants.modules)
    const { next, skipped } = copyTicks(before, new Set(from.modules), mode, held, groups.flatMap(groupIds))
    const scopes = withScopes ? from.scopes : one.grants.scopes
    const refusal = one.id === row.id ? '不能复制给本人'
      : one.id === me.id ? '不能修改自己的权限'
        : one.role === SUPER && me.role !== SUPER ? '只有超级管理员可以管理超级管理员'
          : Object.values(scopeProblems(me.scopes, scopes))[0]
    return { ...one, next, scopes, change: difference(groups, before, next), kinds: changedScopes(one.grants.scopes, scopes), skipped: skipped.length, refusal }
  }
  const plans = tree.data && source.data ? people.flatMap(({ data }) => (data ? [planOf(data, tree.data, source.data.grants)] : [])) : []
  const nameOf = useScopeNames(plans.flatMap((plan) => [plan.scopes, plan.grants.scopes]))
  const size = ({ change, kinds }: Plan) => change.addedCount + change.removedCount + kinds.length
  const pending = plans.filter((plan) => !plan.refusal && size(plan) > 0)
  const error = tree.error ?? source.error ?? people.find((query) => query.error)?.error

  const run = async () => {
    setBusy(true)
    const done = new Map<number, string>()
    for (const plan of pending) {
      try {
        await call(writeGrants, { modules: [...plan.next], scopes: plan.scopes, rev: plan.grants.rev }, { params: { id: plan.id }, keepEmpty: true, quiet: true })
        done.set(plan.id, '')
      } catch (failure) {
        done.set(plan.id, failure instanceof Error ? failure.message : '保存失败')
      }
    }
    setResults(done)
    setBusy(false)
    reload()
    const failed = [...done.values()].filter(Boolean).length
    if (failed > 0) {
      // Those that failed are read again, so that a second try starts from what is true now.
      await client.invalidateQueries({ queryKey: ['grants', 'person'] })
      return void message.warning(`${done.size - failed} 人成功，${failed} 人失败`, 5)
    }
    void message.success(`已复制给 ${done.size} 人，立即生效`)
    onClose()
  }

  return (
    <Modal open title={`复制「${name}」的权限`} width={760} okText={pending.length > 0 ? `复制给 ${pending.length} 人` : '复制'} okButtonProps={{ disabled: pending.length === 0 }} confirmLoading={busy} onOk={() => void run()} onCancel={close}>
      {error && <Alert className="form-alert" type="error" showIcon title={error.message} />}
      <div className="scope-fields">
        <div>
          <label className="scope-title" htmlFor={id}>复制给（最多 {MOST} 人）</label>
          <MultiPicker target={staff} id={id} label="员工" narrow={{ offered: 1 }} value={targets} onChange={(next) => { setTargets(next.slice(0, MOST)); setResults(new Map()) }} />
        </div>
        <div className="grant-copy">
          <Segmented<CopyMode> value={mode} onChange={setMode} options={[{ value: 'add', label: '追加' }, { value: 'replace', label: '覆盖' }]} aria-label="复制方式" />
          <Checkbox checked={withScopes} onChange={(event) => setWithScopes(event.target.checked)}>同时复制数据范围</Checkbox>
        </div>
        {(source.isPending || people.some((query) => query.isPending)) && !error && <Skeleton active />}
        {plans.length > 0 && (
          <Table<Plan> size="small" rowKey="id" pagination={false} dataSource={plans} scroll={{ y: 320 }}
            expandable={{
              rowExpandable: (plan) => size(plan) > 0,
              expandedRowRender: (plan) => <GrantDifference {...plan.change} scopes={plan.kinds.map((kind) => ({ label: SCOPE_KINDS[kind], before: nameOf(kind, plan.grants.scopes[kind]), after: nameOf(kind, plan.scopes[kind]) }))} />,
            }} columns={[
              { title: '员工', dataIndex: 'name', width: 120 },
              {
                title: '变化', render: (_value, plan) => {
                  const result = results.get(plan.id)
                  if (result) return <Tag color="error">{result}</Tag>
                  if (result === '') return <Tag color="success">已保存</Tag>
                  if (plan.refusal) return <Tag color="warning">{plan.refusal}</Tag>
                  if (size(plan) === 0) return '没有变化'
                  return (
                    <>
                      {plan.change.addedCount > 0 && `新增 ${plan.change.addedCount} 项　`}
                      {plan.change.removedCount > 0 && `收回 ${plan.change.removedCount} 项　`}
                      {plan.kinds.length > 0 && `数据范围 ${plan.kinds.length} 处　`}
                      {plan.skipped > 0 && `（${plan.skipped} 项您自己没有，保持不变）`}
                    </>
                  )
                },
              },
            ]} />
        )}
      </div>
    </Modal>
  )
}
