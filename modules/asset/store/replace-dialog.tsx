import { UploadOutlined } from '@ant-design/icons'
import { Alert, App, Button, Form, InputNumber, Modal, Progress, Upload } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { useResumableUpload } from '../../../core/upload/use-resumable-upload.tsx'
import { ASSET_STATE, UPLOADS } from '../asset.ts'
import { replaceAsset } from '../calls.ts'
import { beyondEnd, clock, shiftTimed } from '../timing.ts'
import type { AssetRow } from './asset-view.tsx'

/** Length of a file as the browser reads it; undefined where it cannot. */
function lengthOf(file: File, kind: 'video' | 'audio'): Promise<number | undefined> {
  const url = URL.createObjectURL(file)
  return new Promise<number | undefined>((resolve) => {
    const probe = document.createElement(kind)
    probe.preload = 'metadata'
    probe.onloadedmetadata = () => resolve(Number.isFinite(probe.duration) ? probe.duration : undefined)
    probe.onerror = () => resolve(undefined)
    probe.src = url
  }).finally(() => URL.revokeObjectURL(url))
}

/** Another file for an asset: its number, its uses and what is bound to it stay. */
export function ReplaceDialog({ row, reload, onClose }: Omit<RowDialogProps, 'row'> & { row: AssetRow }) {
  const { message } = App.useApp()
  const [url, setUrl] = useState<string>()
  const [length, setLength] = useState<number>()
  const [shift, setShift] = useState(0)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const { running, problem, start } = useResumableUpload(UPLOADS[row.kind], setUrl)
  const timed = [...(row.chapters ?? []).map(({ sec, title }) => ({ sec: sec ?? 0, title: title ?? '' })), ...(row.cues ?? []).map(({ sec, practice_id }) => ({ sec: sec ?? 0, title: `试题 ${practice_id}` }))]
  const out = length === undefined ? [] : beyondEnd(shiftTimed(timed, shift), length)
  const choose = (file: File) => {
    setRefused(undefined)
    setUrl(undefined)
    setLength(undefined)
    if (row.kind === 'video' || row.kind === 'audio') void lengthOf(file, row.kind).then(setLength)
    void start(file)
  }
  const replace = async () => {
    if (url === undefined) return setRefused('请先选择新文件')
    setBusy(true)
    try {
      await call(replaceAsset, { url, shift, rev: row.rev }, { params: { id: row.id }, quiet: true })
      void message.success('新文件正在检查，通过后自动替换')
      reload()
      onClose()
    } catch (error) {
      setRefused(error instanceof Error ? error.message : '替换失败，请重试')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`替换「${row.name}」的文件`} okText="替换" okButtonProps={{ disabled: url === undefined }} confirmLoading={busy} onOk={() => void replace()} onCancel={() => { running?.stop(); onClose() }}>
      <p>编号、引用、字幕和打点都保留{row.state === ASSET_STATE.ready ? '；新文件检查通过前，仍使用原文件。原文件保留 30 天，可以恢复。' : '，新文件检查通过后即可使用。'}</p>
      <Form layout="vertical">
        <Form.Item label="新文件" required {...((problem ?? refused) !== undefined && { validateStatus: 'error' as const, help: problem ?? refused })}>
          <Upload showUploadList={false} beforeUpload={(file) => { choose(file); return false }}><Button icon={<UploadOutlined />} disabled={running !== undefined}>{url === undefined ? '选择文件' : '重新选择'}</Button></Upload>
          {running && <Progress percent={running.percent} size="small" />}
          {url !== undefined && <span className="note">已上传</span>}
        </Form.Item>
        {length !== undefined && row.seconds !== null && <p>时长：原来 {clock(row.seconds)}，现在 {clock(length)}</p>}
        {timed.length > 0 && (
          <Form.Item label="章节和打点平移" htmlFor="asset-shift" extra="片头变长填正数，变短填负数">
            <InputNumber id="asset-shift" value={shift} min={-86_400} max={86_400} precision={1} suffix="秒" onChange={(value) => setShift(value ?? 0)} />
          </Form.Item>
        )}
        {out.length > 0 && <Alert type="warning" showIcon title={`${out.length} 处会超出新文件的结尾`} description={out.map(({ sec, title }) => `${clock(sec)} ${title}`).join('、')} />}
      </Form>
    </Modal>
  )
}
