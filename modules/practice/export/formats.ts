/** Files that questions can be written into, as the dialog offers them. */
export const EXPORT_FORMATS = [
  { value: 'docx', label: 'Word（.docx）', ending: 'docx', note: '公式可在 Word 中编辑，可重新导入；不含音频' },
  { value: 'jsonl', label: 'JSON 行（.jsonl）', ending: 'jsonl', note: '一行一题，带全部字段；图片以数据形式写在文件中' },
  { value: 'moodle', label: 'Moodle XML（.xml）', ending: 'xml', note: '含图片，可导入 Moodle' },
  { value: 'qti21', label: 'QTI 2.1（.zip）', ending: 'zip', note: '含图片' },
  { value: 'qti22', label: 'QTI 2.2（.zip）', ending: 'zip', note: '含图片' },
  { value: 'qti30', label: 'QTI 3.0（.zip）', ending: 'zip', note: '含图片' },
  { value: 'xlsx', label: 'Excel（.xlsx）', ending: 'xlsx', note: '一行一题，小题各占一行，图片放在单元格上；可改后重新导入' },
  { value: 'gift', label: 'GIFT（.gift）', ending: 'gift', note: '纯文本；不含图片和音频' },
  { value: 'aiken', label: 'Aiken（.txt）', ending: 'txt', note: '只含单行文字的单选题，其余题目会列出' },
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]['value']
/** Most questions of one file. */
export const MAX_EXPORT = 5000
