import { App, Segmented } from 'antd'
import { useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { Picker } from '../../core/field/reference.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import type { CopyMode, Ids } from './grant-set.ts'
import { readGrants } from './grants.ts'
import { roleTemplate } from './role-template.ts'
import { STAFF_SCREEN, SUPER, staff } from './staff.ts'

/** What was taken over: ids and the words for where they come from. */
export interface Source {
  ids: Ids
  from: string
}

interface CopyBarProps {
  onCopy: (source: Source, mode: CopyMode) => void
  /** A record that makes no sense as a source: the one being edited. */
  not?: { resource: 'staff' | 'role_template'; id: number }
}

/** Ids of a role template. */
async function templateIds(id: number): Promise<Source> {
  const row = await request<WireRow<typeof roleTemplate>>('GET', `${roleTemplate.api.item}/${id}`)
  return { ids: new Set(row.modules), from: `角色模板「${row.name}」` }
}

async function colleagueIds(id: number): Promise<Source> {
  const [row, grants] = await Promise.all([request<WireRow<typeof staff>>('GET', `${staff.api.item}/${id}`), call(readGrants, undefined, { params: { id } })])
  // They may do everything by their role, and have nothing that could be copied.
  if (row.role === SUPER) throw new Error('超级管理员的权限来自角色，不能复制')
  return { ids: new Set(grants.modules), from: `员工「${row.name}」` }
}

/** Starts from what a role template or a colleague has. */
export function CopyBar({ onCopy, not }: CopyBarProps) {
  const { message } = App.useApp()
  const can = useCan()
  const [mode, setMode] = useState<CopyMode>('add')
  // Counts up to empty the pickers again: choosing is an act, not a value.
  const [turn, setTurn] = useState(0)
  const take = async (id: number | null, read: (id: number) => Promise<Source>, resource: 'staff' | 'role_template') => {
    if (id === null) return
    setTurn(turn + 1)
    if (not?.resource === resource && not.id === id) return void message.warning('不能从自己复制')
    try {
      onCopy(await read(id), mode)
    } catch (error) {
      // The shell has said what went wrong with a call.
      if (!(error instanceof CallError)) void message.warning(error instanceof Error ? error.message : '复制失败', 5)
    }
  }
  return (
    <div className="grant-copy">
      <Segmented<CopyMode> value={mode} onChange={setMode} options={[{ value: 'add', label: '追加' }, { value: 'replace', label: '覆盖' }]} aria-label="复制方式" />
      {can(roleTemplate.grant) && (
        <Picker key={`template ${turn}`} target={roleTemplate} id={undefined} label="角色模板" placeholder="从角色模板应用" value={undefined} onChange={(id) => void take(id, templateIds, 'role_template')} />
      )}
      {can(STAFF_SCREEN) && (
        <Picker key={`staff ${turn}`} target={staff} id={undefined} label="员工" placeholder="从其他员工复制" value={undefined} onChange={(id) => void take(id, colleagueIds, 'staff')} />
      )}
    </div>
  )
}
