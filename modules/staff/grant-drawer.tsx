import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Modal, Skeleton, Space, Tabs } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { SCOPE_KINDS, type Scopes } from '../../core/grant/grant.ts'
import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useStaff } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { CopyBar, type Source } from './copy-bar.tsx'
import { GrantDifference } from './grant-difference.tsx'
import { copyTicks, difference, groupIds, rebase, type CopyMode } from './grant-set.ts'
import { GrantTree } from './grant-tree.tsx'
import { grantTree, readGrants, writeGrants, type StaffGrants } from './grants.ts'
import { ReadFailed } from './read-failed.tsx'
import { ScopeEditor, useScopeNames } from './scope-editor.tsx'
import { changedScopes, rebaseScopes, scopeProblems } from './scopes.ts'
import { SUPER, type staff } from './staff.ts'

/** The tree of everything that can be granted; it changes only with a release. */
export function useGrantTree() {
  return useQuery({
    queryKey: ['grant-tree'], queryFn: ({ signal }) => call(grantTree, undefined, { signal, quiet: true }), staleTime: Infinity, gcTime: Infinity, select: ({ groups }) => groups,
  })
}

/** 授权: what somebody may do and which data they see. `proposal` is taken over at once, such as a role template. */
export function GrantDrawer({ row, reload, onClose, proposal }: RowDialogProps<typeof staff> & { proposal?: Source }) {
  const wide = useWide('lg')
  const tree = useGrantTree()
  const grants = useQuery({
    queryKey: ['grants', row.id], queryFn: ({ signal }) => call(readGrants, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0,
  })
  // What the work began from is kept: a later answer, or none while the tab is out of sight, must not throw the work away.
  const [start, setStart] = useState<StaffGrants>()
  if (!start && grants.data && grants.isFetchedAfterMount) setStart(grants.data)
  const error = tree.error ?? grants.error
  if (tree.data && start) {
    return <Editor row={row} tree={tree.data} start={start} {...(proposal && { proposal })} reload={reload} onClose={onClose} />
  }
  return (
    <Drawer open title={`授权 · ${row.name}`} size={wide ? 880 : '100%'} onClose={onClose}>
      {error
        ? <ReadFailed error={error} onRetry={() => { void tree.refetch(); void grants.refetch() }} />
        : <Skeleton active paragraph={{ rows: 12 }} />}
    </Drawer>
  )
}

interface EditorProps extends RowDialogProps<typeof staff> {
  tree: GrantGroup[]
  start: StaffGrants
  proposal?: Source
}

function Editor({ row, tree, start, proposal, reload, onClose }: EditorProps) {
  const { message } = App.useApp()
  const me = useStaff()
  const wide = useWide('lg')
  const name = row.name
  const held = useMemo(() => new Set(me.modules), [me.modules])
  const known = useMemo(() => tree.flatMap(groupIds), [tree])
  const [base, setBase] = useState(start)
  const before = useMemo(() => new Set(base.modules), [base])
  const [proposed] = useState(() => proposal && copyTicks(new Set(start.modules), proposal.ids, 'add', held, known))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => proposed?.next ?? new Set(start.modules))
  const [scopes, setScopes] = useState<Scopes>(start.scopes)
  const [tab, setTab] = useState('modules')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [theirs, setTheirs] = useState<StaffGrants>()
  const nameOf = useScopeNames([base.scopes, scopes])

  const change = difference(tree, before, chosen)
  const kinds = changedScopes(base.scopes, scopes)
  const dirty = change.addedCount + change.removedCount + kinds.length > 0
  const problems = scopeProblems(me.scopes, scopes)
  const close = useCloseGuard(dirty, `${name}的权限`, onClose)
  const refusal = row.id === me.id ? '不能修改自己的权限，请联系其他管理员。' : row.role === SUPER && me.role !== SUPER ? '只有超级管理员可以管理超级管理员。' : undefined
  const isSuper = row.role === SUPER

  const copy = ({ ids, from }: Source, mode: CopyMode) => {
    const { next, skipped } = copyTicks(chosen, ids, mode, held, known)
    setChosen(next)
    if (skipped.length > 0) void message.warning(`已从${from}复制；其中 ${skipped.length} 项您自己没有，保持不变`, 5)
    else void message.success(`已从${from}复制，保存后生效`)
  }
  const ask = () => {
    setProblem(undefined)
    if (Object.keys(problems).length > 0) {
      setTab('scopes')
      return setProblem(Object.values(problems)[0])
    }
    setAsking(true)
  }
  const save = async () => {
    setBusy(true)
    try {
      await call(writeGrants, { modules: [...chosen], scopes, rev: base.rev }, { params: { id: row.id }, keepEmpty: true, quiet: true })
      void message.success(`已保存${name}的权限，立即生效`)
      reload()
      onClose()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setAsking(false)
      if (error.status === 409 && error.body['current']) setTheirs(error.body['current'] as StaffGrants)
      else setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const goOn = (mine: boolean) => {
    if (!theirs) return
    setChosen(mine ? rebase(before, chosen, new Set(theirs.modules)) : new Set(theirs.modules))
    setScopes(mine ? rebaseScopes(base.scopes, scopes, theirs.scopes) : theirs.scopes)
    setBase(theirs)
    setTheirs(undefined)
  }

  const readOnly = refusal !== undefined
  return (
    <Drawer open title={`授权 · ${name}`} size={wide ? 880 : '100%'} onClose={close} mask={{ closable: !dirty }}
      footer={(
        <div className="grant-footer">
          <span aria-live="polite">
            {dirty ? <>
              {change.addedCount > 0 && <span className="given">新增 {change.addedCount} 项　</span>}
              {change.removedCount > 0 && <span className="taken">收回 {change.removedCount} 项　</span>}
              {kinds.length > 0 && <>数据范围 {kinds.length} 处变化</>}
            </> : `共 ${chosen.size} 项权限`}
          </span>
          <Space>
            {dirty && <Button onClick={() => { setChosen(before); setScopes(base.scopes); setProblem(undefined) }}>撤销修改</Button>}
            <Button onClick={close}>取消</Button>
            <Button type="primary" disabled={!dirty || readOnly} onClick={ask}>核对并保存</Button>
          </Space>
        </div>
      )}>
      {refusal && <Alert className="form-alert" type="warning" showIcon title={refusal} />}
      {isSuper && <Alert className="form-alert" type="info" showIcon title="超级管理员始终拥有全部功能权限，下面的勾选不影响其权限。" />}
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {proposal && proposed && (
        <Alert className="form-alert" type="info" showIcon title={`已追加${proposal.from}的权限，核对后保存生效。${proposed.skipped.length > 0 ? `其中 ${proposed.skipped.length} 项您自己没有，未能追加。` : ''}`} />
      )}
      <Tabs activeKey={tab} onChange={setTab} items={[
        {
          key: 'modules', label: `功能权限（${chosen.size}）`, children: (
            <>
              {!readOnly && <CopyBar onCopy={copy} not={{ resource: 'staff', id: row.id }} />}
              <GrantTree tree={tree} value={chosen} onChange={setChosen} held={held} base={before} readOnly={readOnly} />
            </>
          ),
        },
        { key: 'scopes', label: '数据范围', children: <ScopeEditor value={scopes} onChange={(next) => { setScopes(next); setProblem(undefined) }} problems={problems} own={me.scopes} readOnly={readOnly} /> },
      ]} />
      <Modal open={asking} title={`确认修改「${name}」的权限`} width={760} okText="确认保存" cancelText="返回修改" confirmLoading={busy} onOk={() => void save()} onCancel={() => setAsking(false)}>
        <GrantDifference {...change} scopes={kinds.map((kind) => ({ label: SCOPE_KINDS[kind], before: nameOf(kind, base.scopes[kind]), after: nameOf(kind, scopes[kind]) }))} />
      </Modal>
      <Modal open={theirs !== undefined} title="该员工的资料或权限刚刚被他人修改" onCancel={() => setTheirs(undefined)} footer={[
        <Button key="theirs" onClick={() => goOn(false)}>放弃我的修改，载入最新</Button>,
        <Button key="mine" type="primary" onClick={() => goOn(true)}>在最新权限上保留我的修改</Button>,
      ]}>
        {theirs && <Theirs tree={tree} before={before} theirs={theirs} />}
      </Modal>
    </Drawer>
  )
}

/** What a colleague has changed meanwhile. */
function Theirs({ tree, before, theirs }: { tree: GrantGroup[]; before: ReadonlySet<number>; theirs: StaffGrants }) {
  const change = difference(tree, before, new Set(theirs.modules))
  if (change.addedCount + change.removedCount === 0) return <p>功能权限没有变化，可以在最新资料上继续保存您的修改。</p>
  return <><p>对方的修改如下：</p><GrantDifference {...change} scopes={[]} /></>
}
