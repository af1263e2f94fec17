-- Cases of test/system/editor.sh, inside of Neovim: its own client speaks with the server. Globals: TOOL, FOLDER, CONTRIB.
local passed, failed = 0, 0

local function case(name, body)
  local ok, why = pcall(body)
  if ok then
    passed = passed + 1
    io.stdout:write('ok ' .. name .. '\n')
  else
    failed = failed + 1
    io.stdout:write('FAILED ' .. name .. ': ' .. tostring(why) .. '\n')
  end
end

local function wait_for(what, condition)
  assert(vim.wait(120000, condition, 100), 'it never came: ' .. what)
end

local function write(name, text)
  local f = assert(io.open(FOLDER .. '/' .. name, 'w'))
  f:write(text)
  f:close()
  return FOLDER .. '/' .. name
end

local function client()
  for _, c in pairs(vim.lsp.buf_get_clients(0)) do
    if c.name == 'twoproof' then return c end
  end
end

local progress = {}
local forward = vim.lsp.handlers['$/progress']
vim.lsp.handlers['$/progress'] = function(e, result, context, config)
  table.insert(progress, result.value)
  if forward then forward(e, result, context, config) end
end

-- Verdicts of a round, as text.
local function check()
  local done, problem, verdicts = false, nil, {}
  require_twoproof.check(function(e, result)
    done, problem = true, e
    for _, target in ipairs(result and result.targets or {}) do
      for _, r in ipairs(target.results) do
        table.insert(verdicts, target.name .. ' ' .. r.property .. ' ' .. r.verdict)
      end
    end
  end)
  wait_for('the verdicts', function() return done end)
  assert(not problem, problem and problem.message)
  return table.concat(verdicts, ', ')
end

local function request(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 60000), method)
  for _, answer in pairs(answers) do
    assert(not answer.err, answer.err and answer.err.message)
    return answer.result
  end
end

local LIBRARY = [[
int find(const char *s, int n, char c) {
  for (int i = 0; i <= n; i++) if (s[i] == c) return i;
  return -1;
}
unsigned twice(unsigned x) { return x + x; }
]]
local LOOP = [[
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  while (i < n) {
    i++;
    j++;
  }
  assert(i == j);
  return 0;
}
]]

-- Factors of a product of two large primes: nothing here finds them in minutes.
local LONG = [[
#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  unsigned long n = 1000000016000000063UL;
  if (a > 1 && b > 1 && a < 4294967296UL && b < 4294967296UL) assert(a * b != n);
  return 0;
}
]]

require_twoproof = dofile(CONTRIB .. '/nvim/twoproof.lua')
require_twoproof.setup({ command = { TOOL, 'lsp' }, settings = { property = 'unreach-call,valid-deref', timelimit = 60 } })
vim.cmd('filetype on')
write('.twoproof.conf', '# the root of the project\n')
local library = write('library.c', LIBRARY)

case('the client starts with the buffer, and verifies it', function()
  vim.cmd('edit ' .. library)
  wait_for('the client', function() return client() and client().initialized end)
  local verdicts = check()
  assert(verdicts == 'find unreach-call unknown, find valid-deref false, twice unreach-call true, twice valid-deref true', verdicts)
end)

case('the failure is a diagnostic of the buffer', function()
  wait_for('the diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
  local d = vim.diagnostic.get(0)[1]
  assert(d.lnum == 1 and d.source == 'twoproof' and d.severity == vim.diagnostic.severity.ERROR, vim.inspect(d))
  assert(d.message:find('valid%-deref is violated when find is called'), d.message)
  assert(d.user_data.lsp.code == 'CWE-125' and #d.user_data.lsp.relatedInformation > 0, vim.inspect(d.user_data))
end)

case('progress was told', function()
  local kinds = {}
  for _, value in ipairs(progress) do kinds[value.kind] = true end
  assert(kinds.begin and kinds['end'], vim.inspect(progress))
end)

case('the code action writes a test, which fails', function()
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  local actions = request('textDocument/codeAction', params)
  assert(#actions == 1, vim.inspect(actions))
  local action = actions[1]
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
    vim.cmd('silent! wall')
  else
    request('workspace/executeCommand', action.command)
  end
  local script = FOLDER .. '/twoproof-tests/library-find-valid-deref/run.sh'
  assert(vim.loop.fs_stat(script), 'there is no ' .. script)
  vim.fn.system({ 'sh', script })
  assert(vim.v.shell_error == 107, 'status ' .. vim.v.shell_error)
end)

case('a save verifies what changed, the stale answer is shown meanwhile', function()
  vim.cmd('edit ' .. library)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '/* a', '   comment */' })
  vim.cmd('write')
  wait_for('the stale one', function()
    local d = vim.diagnostic.get(0)[1]
    return d and d.lnum == 3
  end)
  check()
  local d = vim.diagnostic.get(0)[1]
  assert(d and d.lnum == 3 and not d.message:find('stale'), vim.inspect(d))
  vim.api.nvim_buf_set_lines(0, 3, 4, false, { '  for (int i = 0; i < n; i++) if (s[i] == c) return i;' })
  vim.cmd('write')
  local verdicts = check()
  assert(verdicts:find('find valid%-deref true'), verdicts)
  wait_for('no diagnostic', function() return #vim.diagnostic.get(0) == 0 end)
end)

case('the hover has the invariant', function()
  vim.cmd('edit ' .. write('loop.c', LOOP))
  wait_for('the client', function() return client() ~= nil end)
  local verdicts = check()
  assert(verdicts == 'main unreach-call true, main valid-deref true', verdicts)
  vim.api.nvim_win_set_cursor(0, { 5, 3 })
  local result = request('textDocument/hover', vim.lsp.util.make_position_params())
  assert(result and result.contents.value:find('Invariant of the loop'), vim.inspect(result))
end)

case('a cancelled check ends', function()
  vim.cmd('edit ' .. write('long.c', LONG))
  wait_for('the client', function() return client() ~= nil end)
  progress = {}
  local function is_told(kind, text)
    for _, value in ipairs(progress) do
      if value.kind == kind and (value.message or ''):find(text) then return true end
    end
  end
  local ok, id = client().request('workspace/executeCommand', { command = 'twoproof.check', arguments = { vim.uri_from_bufnr(0) } }, function() end, 0)
  assert(ok)
  wait_for('work on main', function() return is_told('report', '^main') end)
  client().cancel_request(id)
  wait_for('the end', function() return is_told('end', '^cancelled$') end)
end)

case('the server ends with its client', function()
  local id = client().id
  vim.lsp.stop_client(id)
  wait_for('the end', function() return vim.lsp.client_is_stopped(id) end)
end)

io.stdout:write(passed .. ' passed, ' .. failed .. ' failed\n')
vim.cmd(failed == 0 and 'qall!' or 'cquit!')
