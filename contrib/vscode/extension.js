// Twoproof in Visual Studio Code: starts `twoproof lsp` and lets vscode-languageclient do the rest.
// To install: npm install && npx @vscode/vsce package, then "Install from VSIX"; see README.md.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

// Settings of the extension that the server knows; `path` is ours.
const NAMES = ['property', 'entry', 'allFunctions', 'timelimit', 'arguments', 'compileCommands', 'checkOnOpen', 'checkOnSave'];
let client;

function settings() {
  const all = vscode.workspace.getConfiguration('twoproof');
  return Object.fromEntries(NAMES.map((name) => [name, all.get(name)]));
}

async function start() {
  const command = vscode.workspace.getConfiguration('twoproof').get('path') || 'twoproof';
  client = new LanguageClient(
    'twoproof',
    'Twoproof',
    { command, args: ['lsp', '--stdio'] },
    {
      documentSelector: [{ scheme: 'file', language: 'c' }],
      initializationOptions: settings(),
      middleware: {
        workspace: {
          // The server asks for the section `twoproof`.
          configuration: (params) => params.items.map((item) => (item.section === 'twoproof' ? settings() : null)),
        },
      },
    },
  );
  await client.start();
}

async function stop() {
  const old = client;
  client = undefined;
  if (old) await old.stop();
}

async function checkFile() {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor || editor.document.languageId !== 'c') return;
  await editor.document.save();
  await client.sendRequest('workspace/executeCommand', {
    command: 'twoproof.check',
    arguments: [client.code2ProtocolConverter.asUri(editor.document.uri)],
  });
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('twoproof.checkFile', checkFile),
    vscode.commands.registerCommand('twoproof.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('twoproof.path')) {
        await stop();
        await start();
      } else if (client && event.affectsConfiguration('twoproof')) {
        await client.sendNotification('workspace/didChangeConfiguration', { settings: { twoproof: settings() } });
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
