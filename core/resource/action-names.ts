/** What actions are called in the log, beside those that a resource names itself. */
export const ACTION_NAMES: Readonly<Record<string, string>> = {
  create: '新增', update: '修改', remove: '删除', restore: '恢复', purge: '彻底删除', revert: '撤回修改', undo: '撤销', bulk: '批量修改', import: '导入', import_undo: '撤销导入', export: '导出', print: '打印',
  reveal: '查看完整号码', merge: '合并账号', grant: '修改权限', hand_over: '离职交接', reset_password: '重置密码', change_password: '修改密码', reset_factors: '清除两步验证和通行密钥', second_factor: '修改两步验证要求', force_logout: '强制下线',
  totp_on: '开启两步验证', totp_off: '关闭两步验证', recovery_codes: '重新生成恢复码', passkey_add: '添加通行密钥', passkey_remove: '移除通行密钥',
  code_activate: '激活', code_cancel: '作废', code_unbind: '解绑', code_rebind: '换绑', code_freeze: '冻结', code_unfreeze: '解冻', code_extend: '延期', code_transfer: '转移归属', code_expire: '到期',
  code_exchange: '置换', code_append: '追加', code_take: '导出完整码', code_print: '打印标签',
  file_add: '添加文件', file_remove: '移除文件',
  expire: '到期', setup: '初始化', open_public: '打开公开页', answer_public: '在公开页回复',
}
