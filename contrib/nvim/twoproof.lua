-- Twoproof in Neovim 0.7 and later, with its own client. In init.lua:
--   dofile('/usr/share/doc/twoproof/contrib/nvim/twoproof.lua').setup({ settings = { timelimit = 30 } })
-- `:TwoproofCheck` verifies the file of the buffer now; code actions (vim.lsp.buf.code_action) write a failing input as a test, hovers
-- (vim.lsp.buf.hover) show what is proved. `command`: where the program is. `settings`: see doc/editors.md.
local M = {}

local function root_of(path)
  local marks = { '.twoproof.conf', 'compile_commands.json', '.git' }
  local folder = vim.fn.fnamemodify(path, ':p:h')
  while folder ~= '/' and folder ~= '' do
    for _, mark in ipairs(marks) do
      if vim.loop.fs_stat(folder .. '/' .. mark) then return folder end
    end
    folder = vim.fn.fnamemodify(folder, ':h')
  end
  return vim.fn.fnamemodify(path, ':p:h')
end

local clients = {} -- by root

local function config_of(options, root)
  return {
    name = 'twoproof',
    cmd = options.command or { 'twoproof', 'lsp' },
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    settings = { twoproof = options.settings or {} },
    init_options = options.settings,
    on_exit = function() clients[root] = nil end,
  }
end

function M.attach(options, buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == '' then return end
  local root = root_of(path)
  local id = clients[root] or vim.lsp.start_client(config_of(options, root))
  clients[root] = id
  if id then vim.lsp.buf_attach_client(buffer, id) end
end

-- handler: gets the error and the verdicts; by default they are printed
function M.check(handler)
  local report = handler or function(problem, result)
    if problem then return vim.notify(problem.message, vim.log.levels.WARN) end
    local lines = {}
    for _, target in ipairs(result and result.targets or {}) do
      for _, r in ipairs(target.results) do
        table.insert(lines, target.name .. ': ' .. r.property .. ' ' .. r.verdict)
      end
    end
    vim.notify(table.concat(lines, '\n'))
  end
  for _, client in pairs(vim.lsp.buf_get_clients(0)) do
    if client.name == 'twoproof' then
      client.request('workspace/executeCommand', { command = 'twoproof.check', arguments = { vim.uri_from_bufnr(0) } }, report, 0)
    end
  end
end

function M.setup(options)
  options = options or {}
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'c',
    callback = function(event) M.attach(options, event.buf) end,
  })
  vim.api.nvim_create_user_command('TwoproofCheck', function() M.check() end, {})
end

return M
