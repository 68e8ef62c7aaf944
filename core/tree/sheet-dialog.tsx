import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Button, Modal, Radio, Space, Upload } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { SheetReport } from './sheet-calls.ts'

interface Props {
  title: string
  levels: string
  facts: string
  /** Reads the uploaded file: counts only, or writes. */
  read: (fileId: string, mode: 'add' | 'rebuild', write: boolean) => Promise<SheetReport>
  onClose: () => void
  onDone: () => void
}

/** Brings a tree in from a sheet: choose the file, see what would change, write it. */
export function SheetDialog({ title, levels, facts, read, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [file, setFile] = useState<{ id: string; name: string }>()
  const [mode, setMode] = useState<'add' | 'rebuild'>('add')
  const [report, setReport] = useState<SheetReport>()
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  const look = (id: string, how: 'add' | 'rebuild') => attempt(async () => setReport(await read(id, how, false)))
  const choose = (chosen: File) => attempt(async () => {
    const body = new FormData()
    body.append('file', chosen)
    const { id } = await request<{ id: string }>('POST', '/daoyuan/api/end/files?kind=file', body)
    setFile({ id, name: chosen.name })
    setReport(await read(id, mode, false))
  })
  const write = () => attempt(async () => {
    if (!file) return
    const { effect } = await read(file.id, mode, true)
    void message.success(`已导入：新增 ${effect.added} 个，修改 ${effect.changed} 个`)
    onDone()
  })
  const effect = report?.effect
  return (
    <Modal open title={title} width={640} onCancel={onClose} footer={<Space><Button onClick={onClose}>取消</Button><Button type="primary" loading={busy} disabled={!report || report.problems.length > 0 || report.nodes === 0} onClick={() => void write()}>导入</Button></Space>}>
      <Space orientation="vertical" className="wide" size="middle">
        <p className="note">每行一个节点，前几列依次为{levels}，与上一行相同的上级可以留空{facts && `；还可以有${facts}列`}。导出的表可以改好再导入。</p>
        <Upload.Dragger accept=".xlsx,.csv" maxCount={1} showUploadList={false} disabled={busy} beforeUpload={(chosen) => { void choose(chosen); return false }}>
          <p className="ant-upload-drag-icon"><InboxOutlined /></p>
          <p className="ant-upload-text">{file?.name ?? '点击或把表格拖到这里'}</p>
        </Upload.Dragger>
        <Radio.Group aria-label="导入方式" value={mode} onChange={({ target }) => { const next = target.value as 'add' | 'rebuild'; setMode(next); if (file) void look(file.id, next) }}>
          <Radio value="add">增量：表中没有的保持不变</Radio>
          <Radio value="rebuild">重建：表中没有的删除</Radio>
        </Radio.Group>
        {report && report.problems.length > 0 && <Alert type="error" showIcon title={`${report.problems.length} 处问题，请改好后重新上传`} description={<ul className="reasons">{report.problems.map(({ row, message: words }) => <li key={`${row} ${words}`}>第 {row} 行：{words}</li>)}</ul>} />}
        {effect && report.problems.length === 0 && (
          <Alert type={mode === 'rebuild' && effect.missing > 0 ? 'warning' : 'info'} showIcon
            title={`共 ${report.nodes} 个节点：新增 ${effect.added} 个，修改 ${effect.changed} 个${mode === 'rebuild' ? `，删除 ${effect.missing - effect.used} 个，还在使用而保留 ${effect.used} 个` : effect.missing > 0 ? `，表中没有的 ${effect.missing} 个保持不变` : ''}`}
            {...(effect.examples.length > 0 && { description: <ul className="reasons">{effect.examples.map((name) => <li key={name}>{name}</li>)}</ul> })} />
        )}
      </Space>
    </Modal>
  )
}
